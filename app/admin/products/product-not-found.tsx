import { Link } from 'react-router'
import { Stack } from '#app/ui/layout.tsx'
import styles from './products.module.css'

export function ProductNotFound() {
  return (
    <Stack gap={3} className={styles.notFound} role="alert">
      <h2>Product not found</h2>
      <p>
        It may have been deleted. <Link to="/admin/products">All products</Link>
      </p>
    </Stack>
  )
}
