import { isRouteErrorResponse } from 'react-router'
import { shop } from '#shop'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { DiscontinuedProduct } from './discontinued-product.tsx'
import { NotFound } from './not-found.tsx'
import { PhoneLink } from './phone-link.tsx'
import styles from './route-error.module.css'

export function RouteError({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  if (isRouteErrorResponse(error) && error.status === 410)
    return <DiscontinuedProduct lure={error.data.goneLure} />
  return (
    <Stack contained as="section" gap={5} align="start" className={styles.page}>
      <title>{`Something broke – ${shop.name}`}</title>
      <h1>Our line snapped</h1>
      <p>
        Something went wrong on our side, and nothing you did caused it. Your cart is saved. Please try again
        in a moment.
      </p>
      <Row gap={3} align="stretch" wrap>
        <Button look="action" size="large" onClick={() => location.reload()}>
          Try again
        </Button>
        <ButtonLink look="outline" size="large" to="/" reloadDocument>
          Go to the home page
        </ButtonLink>
      </Row>
      <p>
        Still stuck? Phone <PhoneLink /> or write to{' '}
        <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a> and we'll sort it out.
      </p>
    </Stack>
  )
}
