import { shop } from '#shop'
import styles from './error-fallback.module.css'

/** The error page of the root: it must not depend on data, router or session. */
export function ErrorFallback() {
  return (
    <main className={styles.page} data-surface="deep">
      <title>{`Something broke – ${shop.name}`}</title>
      <h1>Our line snapped</h1>
      <p>
        Something went wrong on our side, and nothing you did caused it. Your cart is saved. Please try again
        in a moment.
      </p>
      <form className={styles.actions}>
        <button>Try again</button> <a href="/">Go to the home page</a>
      </form>
      <p>
        Still stuck? Phone <a href={`tel:${shop.contact.phone.replaceAll(' ', '')}`}>{shop.contact.phone}</a>{' '}
        or write to <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a>.
      </p>
    </main>
  )
}
