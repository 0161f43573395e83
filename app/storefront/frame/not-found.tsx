import { shop } from '#shop'
import { ButtonLink } from '#app/ui/button.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { LogoMark } from './logo-mark.tsx'
import styles from './not-found.module.css'

export function NotFound() {
  return (
    <Stack as="section" gap={4} align="start" justify="center" className={styles.page} data-surface="deep">
      <title>{`404 – ${shop.name}`}</title>
      <LogoMark className={styles.mark} />
      <p className={styles.status}>404</p>
      <h1>Oops! This lure swam away</h1>
      <p>We can't find this page. It may have moved, or the lure may have been discontinued.</p>
      <ButtonLink look="action" size="large" to="/">
        Return to Home Waters
      </ButtonLink>
    </Stack>
  )
}
