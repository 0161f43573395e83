import { Button } from '#app/ui/button.tsx'
import { LogoMark } from '#app/storefront/frame/logo-mark.tsx'
import { shop } from '#shop'
import styles from './offline.module.css'

export const meta = () => [{ title: `No signal – ${shop.name}` }, { name: 'robots', content: 'noindex' }]

/** Stands for every page that was not seen before the signal went. The service worker keeps it, without scripts, and fills in the list. */
export default function Offline() {
  return (
    <main className={styles.page} data-surface="deep">
      <LogoMark className={styles.mark} />
      <h1>No signal out here</h1>
      <p>
        This page has not been opened before, so it is not on your phone. Nothing was ordered or paid. What is
        in your cart is kept, and what you typed is too.
      </p>
      {/* A form without an address asks for the page that was wanted; it needs no script. */}
      <form>
        <Button type="submit" look="action" size="large">
          Try again
        </Button>
      </form>
      <h2>These open without a signal</h2>
      <ul id="kept-pages" className={styles.kept} />
    </main>
  )
}
