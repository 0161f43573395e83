import type { ReactNode } from 'react'
import { CartProvider } from '#app/storefront/cart/cart-provider.tsx'
import { Footer } from './footer.tsx'
import styles from './frame.module.css'
import { Header } from './header.tsx'
import { Greetings } from '../greetings/greetings.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'

/** What stands around every page of the storefront. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <CartProvider>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Header />
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <Greetings />
      <RouteAnnouncer />
    </CartProvider>
  )
}
