import { ButtonLink } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { LogoMark } from './logo-mark.tsx'
import styles from './not-found.module.css'

export function DiscontinuedProduct({ lure }: { lure: string }) {
  return (
    <Stack as="section" gap={4} align="start" justify="center" className={styles.page} data-surface="deep">
      <title>{`${lure} is no longer made – ${shop.name}`}</title>
      <LogoMark className={styles.mark} />
      <h1>We no longer make {lure}</h1>
      <p>
        This lure has been discontinued. Have a look at our other lures: one of them may fish just as well.
      </p>
      <ButtonLink look="action" size="large" to="/products">
        See all lures
      </ButtonLink>
    </Stack>
  )
}
