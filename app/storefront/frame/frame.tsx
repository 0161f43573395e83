import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { CartProvider } from '#app/storefront/cart/cart-provider.tsx'
import { useToastsOfOnePage } from '#app/ui/toaster.tsx'
import { Footer } from './footer.tsx'
import styles from './frame.module.css'
import { Header } from './header.tsx'
import { Greetings } from '../greetings/greetings.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'

/** What stands around every page of the storefront. */
export function Frame({ children }: { children: ReactNode }) {
  useToastsOfOnePage(useLocation().pathname)
  return (
    <CartProvider>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Greetings />
      <Header />
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <RouteAnnouncer />
    </CartProvider>
  )
}
