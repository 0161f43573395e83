import { Link } from 'react-router'
import type { Catch } from '#app/storefront/gallery/approved-catches.server.ts'
import { Row, Text } from '#app/ui/layout.tsx'
import { Picture } from '#app/ui/picture.tsx'
import styles from './lure-catches.module.css'

/** Approved gallery photos of catches on this lure. */
export function LureCatches({ catches }: { catches: Catch[] }) {
  if (catches.length === 0) return null
  return (
    <Text as="section" contained className={styles.catches} aria-labelledby="catches">
      <Row gap={2} columnGap={5} align="baseline" justify="between" wrap className={styles.head}>
        <h2 id="catches">Caught on this lure</h2>
        <Link to="/gallery">All catches</Link>
      </Row>
      <ul className={styles.list}>
        {catches.map(({ id, customerName, description, pictures: [picture] }) => (
          <li key={id}>
            {picture && (
              <Picture
                src={picture}
                alt={`${description} (photo by ${customerName})`}
                width={1200}
                height={900}
                sizes="(min-width: 960px) 33vw, (min-width: 560px) 50vw, 84vw"
              />
            )}
            <Text size="s" breakWords className={styles.words}>
              {description}{' '}
              <Text as="span" tone="muted">
                {customerName}
              </Text>
            </Text>
          </li>
        ))}
      </ul>
    </Text>
  )
}
