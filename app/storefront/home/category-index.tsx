import { Link } from 'react-router'
import { byCategory, type Product } from '#domain/catalogue.ts'
import { formatPrice } from '#domain/money.ts'
import styles from './category-index.module.css'

/** The kinds of lure in one line each, in the order of the range. */
export function CategoryIndex({ products }: { products: Product[] }) {
  if (products.length === 0) return null

  return (
    <section className={styles.index} id="collections" aria-labelledby="collections-title">
      <h2 className={styles.title} id="collections-title">
        Collections
      </h2>
      <ul className={styles.rows}>
        {byCategory(products).map(({ category, members }) => (
          <li key={category}>
            <Link to="/collections" className={styles.row}>
              <span className={styles.name}>{category}</span>
              <span className={styles.about}>
                {[...new Set(members.map((member) => member.lengthMm && `${member.lengthMm} mm`))]
                  .filter(Boolean)
                  .join(', ')}
              </span>
              <span className={styles.from}>
                from {formatPrice(Math.min(...members.map((member) => member.priceCents)))}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
