import { shop } from '#shop'
import styles from './error-fallback.module.css'
import { Row, Stack } from './layout.tsx'

/**
 * Says that a page broke, in its frame, or in the place of everything (`as="main"`): then it must not depend on data, router or
 * session. The form reloads the page.
 */
export function ErrorFallback({ as = 'main' }: { as?: 'main' | 'section' }) {
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
        Something went wrong on our side, and nothing you did caused it. Your cart is saved. Please try again
        in a moment.
      </p>
      <Row as="form" gap={4} wrap>
        <button>Try again</button> <a href="/">Go to the home page</a>
      </Row>
      <p>
        Still stuck? Phone <a href={`tel:${shop.contact.phone.replaceAll(' ', '')}`}>{shop.contact.phone}</a>{' '}
        or write to <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a> and we'll sort it out.
      </p>
    </Stack>
  )
}
