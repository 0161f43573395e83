import { Link } from 'react-router'
import { Panel } from '#app/ui/layout.tsx'

export function ProductNotFound() {
  return (
    <Panel kind="empty" gap={3} role="alert">
      <h2>Product not found</h2>
      <p>
        It may have been deleted. <Link to="/admin/products">All products</Link>
      </p>
    </Panel>
  )
}
