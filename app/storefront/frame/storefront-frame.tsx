import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { NavigationType, useLocation, useMatches, useNavigationType } from 'react-router'
import { CartProvider } from '#app/storefront/cart/cart.tsx'
import { useDismissToastsOnNavigation } from '#app/ui/toaster.tsx'
import { Footer } from './footer.tsx'
import styles from './storefront-frame.module.css'
import { Header } from './header.tsx'
import { Greetings } from '../greetings/greetings.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'

/** The header and footer around a page. A route can replace them with `handle.frame`. */
export interface FrameParts {
  Header: ComponentType
  Footer: ComponentType
}

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

/** Announces the page title after client-side navigation, as browsers do after a full load. */
function RouteAnnouncer() {
  const { pathname } = useLocation()
  const first = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    if (first.current === pathname) return
    first.current = ''
    setTitle(document.title)
  }, [pathname])

  return (
    <VisuallyHidden role="status" aria-live="polite">
      {title}
    </VisuallyHidden>
  )
}
