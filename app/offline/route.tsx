import { Button } from '#app/ui/button.tsx'
import { LogoMark } from '#app/storefront/frame/logo-mark.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './offline.module.css'

export const meta = () => [{ title: `No signal – ${shop.name}` }, { name: 'robots', content: 'noindex' }]

/** Shown offline for pages that are not cached. The service worker caches it without scripts and fills in the list. */
export default function Offline() {
  return (
    <Stack as="main" gap={4} align="start" justify="center" className={styles.page} data-surface="deep">
      <LogoMark className={styles.mark} />
      <h1>No signal out here</h1>
      <p>
        You haven't opened this page before, so it isn't on your device. Nothing was ordered or paid. Your
        cart and what you typed are saved.
      </p>
      {/* A form without an action reloads the current address; it needs no script. */}
      <form>
        <Button type="submit" look="action" size="large">
          Try again
        </Button>
      </form>
      <h2>Pages you can open offline</h2>
      <Stack as="ul" gap={2} id="kept-pages" className={styles.kept} />
    </Stack>
  )
}
