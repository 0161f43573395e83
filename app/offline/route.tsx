import { DeepPage } from '#app/storefront/frame/deep-page.tsx'
import { unlisted } from '#app/storefront/page-meta.ts'
import { Button } from '#app/ui/button.tsx'
import { Stack, Text } from '#app/ui/layout.tsx'
import styles from './offline.module.css'

export const meta = unlisted('No signal')

/**
 * Shown offline for pages that are not cached, also to a buyer who returns from PayFast. The service worker caches it without scripts
 * and fills in the list.
 */
export default function Offline() {
  return (
    <DeepPage as="main">
      <h1>No signal out here</h1>
      <p>
        This page isn't on your device, so it needs a signal. Opening it didn't place an order or take a
        payment, and your cart is saved.
      </p>
      <p>If you've just paid, your payment stands. Please don't pay again.</p>
      {/* A form without an action reloads the current address without a script. The worker adds the query, which it would drop. */}
      <form id="try-again">
        <Button type="submit" look="action" size="large">
          Try again
        </Button>
      </form>
      <Text as="h2" size="title-s" above={5} className={styles.heading}>
        Pages you can open offline
      </Text>
      <Stack as="ul" gap={2} id="kept-pages" className={styles.kept} />
    </DeepPage>
  )
}
