import type { ReactNode } from 'react'
import { NavigationType, useLocation, useMatches, useNavigationType } from 'react-router'
import { CartProvider } from '#app/storefront/cart/cart.tsx'
import { useDismissToastsOnNavigation } from '#app/ui/toaster.tsx'
import { Footer } from './footer.tsx'
import type { FrameParts } from './frame-parts.ts'
import styles from './storefront-frame.module.css'
import { Header } from './header.tsx'
import { Greetings } from '../greetings/greetings.tsx'
import { RouteAnnouncer } from './route-announcer.tsx'

export function StorefrontFrame({ children }: { children: ReactNode }) {
  useDismissToastsOnNavigation(useLocation().pathname, useNavigationType() === NavigationType.Replace)
  const parts = useFrameParts()
  return (
    <CartProvider>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <Greetings />
      <parts.Header />
      <main id="content" className={styles.content} tabIndex={-1}>
        {children}
      </main>
      <parts.Footer />
      <RouteAnnouncer />
    </CartProvider>
  )
}

/** Returns the page's header and footer. A route that replaces them keeps its own in its chunk. */
function useFrameParts(): FrameParts {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- React Router does not type handles.
  const handle = useMatches().at(-1)?.handle as { frame?: FrameParts } | undefined
  return handle?.frame ?? { Header, Footer }
}
