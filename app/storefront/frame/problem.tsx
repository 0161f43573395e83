import { isRouteErrorResponse } from 'react-router'
import { shop } from '#shop'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Gone } from './gone.tsx'
import { NotFound } from './not-found.tsx'
import { PhoneLink } from './phone-link.tsx'
import styles from './problem.module.css'

/** Not there, or broken: the visitor reads which of the two and what to do next. */
export function Problem({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  if (isRouteErrorResponse(error) && error.status === 410) return <Gone lure={error.data.goneLure} />
  return (
    <section className={styles.page}>
      <title>{`Something broke – ${shop.name}`}</title>
      <h1>Our line snapped</h1>
      <p>
        Something went wrong on our side, and nothing you did caused it. What is in your cart is kept. Please
        try again in a moment.
      </p>
      <div className={styles.ways}>
        <Button look="action" size="large" onClick={() => location.reload()}>
          Try again
        </Button>
        <ButtonLink look="outline" size="large" to="/" reloadDocument>
          Go to the home page
        </ButtonLink>
      </div>
      <p>
        Still stuck? Phone <PhoneLink /> or write to{' '}
        <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a> and we will sort it out.
      </p>
    </section>
  )
}
