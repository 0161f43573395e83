import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import styles from './product-header.module.css'

export function ProductHeader({
  product,
  children,
}: {
  product: { id: string; name: string }
  children?: ReactNode
}) {
  const address = `/admin/products/${product.id}`
  return (
    <header className={styles.head}>
      <Link className={styles.back} to="/admin/products">
        <ChevronLeft size={18} aria-hidden /> Products
      </Link>
      <div className={styles.row}>
        <h2>{product.name}</h2>
        <div className={styles.beside}>{children}</div>
      </div>
      <nav className={styles.pages} aria-label="Pages of this product">
        <NavLink to={address} end>
          Product
        </NavLink>
        <NavLink to={`${address}/stock`}>Stock</NavLink>
        <Link to={`${address}/preview`}>Preview</Link>
      </nav>
    </header>
  )
}
