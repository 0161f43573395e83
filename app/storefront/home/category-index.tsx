import { Link } from 'react-router'
import { lengthsText, type Kind } from '#domain/catalogue.ts'
import { formatPrice } from '#domain/money.ts'
import styles from './category-index.module.css'

/** The kinds of lure in one line each, in the order of the range. */
export function CategoryIndex({ kinds }: { kinds: Kind[] }) {
  if (kinds.length === 0) return null

  return (
    <section className={styles.index} id="collections" aria-labelledby="collections-title">
      <h2 className={styles.title} id="collections-title">
        Collections
      </h2>
      <ul className={styles.rows}>
        {kinds.map(({ name, lengthsMm, fromCents }) => (
          <li key={name}>
            <Link to="/collections" className={styles.row}>
              <span className={styles.name}>{name}</span>
              <span className={styles.about}>{lengthsText(lengthsMm)}</span>
              <span className={styles.from}>from {formatPrice(fromCents)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
