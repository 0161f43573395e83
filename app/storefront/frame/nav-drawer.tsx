import { Link, NavLink } from 'react-router'
import { Drawer } from '#app/ui/dialog.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './nav-drawer.module.css'
import { PhoneLink } from './phone-link.tsx'
import { mainNavigation, stripNavigation } from './site-map.ts'

/** Leaves out links that the main navigation has. */
const quickLinks = stripNavigation.filter(({ to }) => !mainNavigation.some((main) => main.to === to))

/** The navigation on small screens. */
export function NavDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer title="Menu" side="left" isOpen={isOpen} onClose={onClose} className={styles.drawer}>
      <Stack as="nav" aria-label="Main" className={styles.main}>
        {mainNavigation.map(({ to, label }) => (
          <NavLink key={to} to={to} end={to === '/'} onClick={onClose}>
            {label}
          </NavLink>
        ))}
      </Stack>
      <Stack plainLinks touch as="nav" block={4} aria-label="Quick links" className={styles.more}>
        {quickLinks.map(({ to, label }) => (
          <Link key={to} to={to} onClick={onClose}>
            {label}
          </Link>
        ))}
      </Stack>
      <Stack as="p" plainLinks touch className={styles.contact}>
        <PhoneLink />
        <a href={`mailto:${shop.contact.email}`}>{shop.contact.email}</a>
      </Stack>
    </Drawer>
  )
}
