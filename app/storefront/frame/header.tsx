import { Menu, Search, ShoppingBag } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { Row, Text } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'
import { AccountMenu } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import styles from './header.module.css'
import { NavDrawer } from './nav-drawer.tsx'
import { shippingTexts, useShippingTerms } from '../catalogue/shipping-terms.ts'
import { PhoneLink } from './phone-link.tsx'
import { mainNavigation, stripNavigation } from './site-map.ts'

export function Header() {
  return (
    <header className={styles.header} data-surface="deep" data-shop-header>
      <TopStrip />
      <Row contained gap={4} className={styles.bar}>
        <MenuButton />
        <Brand className={styles.brand} />
        <Row as="nav" gap={5} align="stretch" aria-label="Main" className={styles.nav}>
          {mainNavigation.map(({ to, label }) => (
            <NavLink key={to} to={to} end={to === '/'} className={styles.navLink}>
              {label}
            </NavLink>
          ))}
        </Row>
        <div className={styles.tools}>
          <SearchButton />
          <AccountMenu />
          <CartButton />
        </div>
      </Row>
    </header>
  )
}

function TopStrip() {
  const { freeFrom } = shippingTexts(useShippingTerms())
  return (
    <div className={styles.strip} data-surface="deep">
      <Row contained plainLinks gap={4} justify="between" size="xs" className={styles.stripBar}>
        <Row as="nav" gap={5} align="stretch" aria-label="Quick links" className={styles.stripNav}>
          {stripNavigation.map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </Row>
        <p>Free shipping on orders over {freeFrom}</p>
        <PhoneLink />
      </Row>
    </div>
  )
}

function MenuButton() {
  const { key } = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  // Closes the menu on navigation. An effect would also close a menu that was opened during hydration.
  if (openedAt !== null && openedAt !== key) setOpenedAt(null)
  return (
    <>
      <IconButton
        label="Menu"
        className={styles.menu}
        aria-haspopup="dialog"
        onClick={() => setOpenedAt(key)}
      >
        <Menu size={26} aria-hidden />
      </IconButton>
      <NavDrawer isOpen={openedAt !== null} onClose={() => setOpenedAt(null)} />
    </>
  )
}

const loadSearch = () => import('../search/search-dialog.tsx')

/** Loads the search on hover or click. If that fails, the visitor stays: another page would not load either, and typed text would be lost. */
function SearchButton() {
  const [isOpen, setIsOpen] = useState(false)
  const [dialog, loadDialog] = useLazyModule(loadSearch)
  const toast = useToast()
  const latest = useLatestLocation()
  const open = async () => {
    const { key } = latest()
    const isLoaded = dialog !== null || (await loadDialog())
    // Not over a page or dialog that the visitor has opened meanwhile.
    if (latest().key !== key || document.querySelector('dialog[open]')) return
    if (isLoaded) setIsOpen(true)
    else toast({ title: 'The search did not load. Please try again.', tone: 'destructive' })
  }
  return (
    <>
      <IconButton
        label="Search"
        aria-haspopup="dialog"
        onPointerEnter={() => void loadSearch().catch(() => {})}
        onClick={() => void open()}
      >
        <Search size={22} aria-hidden />
      </IconButton>
      {dialog && <dialog.SearchDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function CartButton() {
  const { count, open } = useCart()
  return (
    <IconButton
      label={count === 0 ? 'Cart' : `Cart, ${count} ${count === 1 ? 'item' : 'items'}`}
      aria-haspopup="dialog"
      onClick={open}
    >
      <ShoppingBag size={22} aria-hidden />
      {count > 0 && (
        <Text as="span" weight={750} numeric className={styles.count} aria-hidden>
          {count > 99 ? '99+' : count}
        </Text>
      )}
    </IconButton>
  )
}
