import { Link } from 'react-router'
import { Stack, Text } from '#app/ui/layout.tsx'
import { lengthsText, type CategorySummary } from '#domain/catalogue.ts'
import { formatPrice } from '#domain/money.ts'
import styles from './category-index.module.css'

/** One line for each category, in the order of the catalogue. */
export function CategoryIndex({ categories }: { categories: CategorySummary[] }) {
  if (categories.length === 0) return null

  return (
    <Stack as="section" contained gap={3} block={[0, 9]} id="collections" aria-labelledby="collections-title">
      <h2 id="collections-title">Collections</h2>
      <ul className={styles.rows}>
        {categories.map(({ name, lengthsMm, fromCents }) => (
          <li key={name}>
            <Link to="/collections" className={styles.row}>
              <span className={styles.name}>{name}</span>
              <Text as="span" tone="muted" numeric className={styles.about}>
                {lengthsText(lengthsMm)}
              </Text>
              <Text as="span" display size="title-s" className={styles.from}>
                from {formatPrice(fromCents)}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
