import { ButtonLink } from '#app/ui/button.tsx'
import { shop } from '#shop'
import { Mark } from './mark.tsx'
import styles from './not-found.module.css'

/** A lure that was here and is no longer made. */
export function Gone({ lure }: { lure: string }) {
  return (
    <section className={styles.page} data-surface="deep">
      <title>{`${lure} is no longer made – ${shop.name}`}</title>
      <Mark className={styles.mark} />
      <h1>{lure} has left the bench</h1>
      <p>
        We do not make this lure any more. Its brothers are still here, and one of them may fish the same.
      </p>
      <ButtonLink look="action" size="large" to="/products">
        See what we make
      </ButtonLink>
    </section>
  )
}
