import type { ReactNode } from 'react'
import { Link, NavLink } from 'react-router'
import { Row, Stack, Panel } from '#app/ui/layout.tsx'
import tabStyles from '#app/ui/tab.module.css'
import styles from './product-header.module.css'
import { BackLink } from '../frame/back-link.tsx'

export function ProductHeader({
  product,
  children,
}: {
  product: { id: string; name: string }
  children?: ReactNode
}) {
  const address = `/admin/products/${product.id}`
  return (
    <Stack as="header" gap={2} className={styles.head}>
      <BackLink to="/admin/products">Products</BackLink>
      <Row gap={3} justify="between" wrap>
        <h2 className={styles.name}>{product.name}</h2>
        <Row gap={3} justify="between" className={styles.beside}>
          {children}
        </Row>
      </Row>
      <Row as="nav" gap={5} align="stretch" className={styles.pages} aria-label="Pages of this product">
        <NavLink className={tabStyles.tab} to={address} end>
          Product
        </NavLink>
        <NavLink className={tabStyles.tab} to={`${address}/stock`}>
          Stock
        </NavLink>
        <Link className={tabStyles.tab} to={`${address}/preview`}>
          Preview
        </Link>
      </Row>
    </Stack>
  )
}

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
