import { Link } from 'react-router'
import styles from './products.module.css'

/** The address of a lure that is not, or no longer, there. */
export function ProductNotFound() {
  return (
    <div className={styles.gone} role="alert">
      <h2>There is no such product</h2>
      <p>
        It may have been deleted. <Link to="/admin/products">All products</Link>
      </p>
    </div>
  )
}
