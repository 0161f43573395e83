import { shop } from '#shop'
import { ButtonLink } from '#app/ui/button.tsx'
import { Mark } from './mark.tsx'
import styles from './not-found.module.css'

export function NotFound() {
  return (
    <section className={styles.page} data-surface="deep">
      <title>{`404 – ${shop.name}`}</title>
      <Mark className={styles.mark} />
      <p className={styles.status}>404</p>
      <h1>Oops! This lure swam away</h1>
      <p>
        The page you are after is not here. It may have moved, sold out for good, or never hung on our wall.
      </p>
      <ButtonLink look="action" size="large" to="/">
        Return to Home Waters
      </ButtonLink>
    </section>
  )
}
