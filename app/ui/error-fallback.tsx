import { shop } from '#shop'
import styles from './error-fallback.module.css'
import { Row, Stack } from './layout.tsx'

interface ErrorFallbackProps {
  as?: 'main' | 'section'
  /** The cause; by default the shop's own fault. */
  children?: string | false
}

/**
 * Says that a page broke, in its frame, or in the place of everything (`as="main"`): then it must not depend on data, router or
 * session. The link without an address reloads the page with its query, which a form would drop.
 */
export function ErrorFallback({ as = 'main', children }: ErrorFallbackProps) {
  return (
    <Stack
      contained={as === 'section'}
      as={as}
      gap={5}
      align="start"
      justify="center"
      className={styles.page}
      data-surface={as === 'main' ? 'deep' : undefined}
    >
      <title>{`Something broke – ${shop.name}`}</title>
      <h1>Our line snapped</h1>
      <p>
        {children || 'Something went wrong on our side, and nothing you did caused it.'} Your cart is saved.
        Please try again in a moment.
      </p>
      <Row gap={4} wrap>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- An empty address reloads the page. */}
        <a href="" className={styles.again}>
          Try again
        </a>
        <a href="/">Go to the home page</a>
      </Row>
      <p>
        Still stuck? Phone <a href={`tel:${shop.contact.phone.replaceAll(' ', '')}`}>{shop.contact.phone}</a>{' '}
        or write to <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a> and we'll sort it out.
      </p>
    </Stack>
  )
}
