import { Images, LayoutDashboard, Mail, Package, ShoppingBag, Ticket, Users } from 'lucide-react'
import { canOpen, type Role } from './role.ts'

/** `app/routes.ts` lists the same paths. */
const ADMIN_TABS = [
  { label: 'Dashboard', path: '/admin', icon: LayoutDashboard },
  { label: 'Orders', path: '/admin/orders', icon: ShoppingBag },
  { label: 'Clients', path: '/admin/clients', icon: Users },
  { label: 'Products', path: '/admin/products', icon: Package },
  { label: 'Promo Codes', path: '/admin/promo-codes', icon: Ticket },
  { label: 'Gallery', path: '/admin/gallery', icon: Images },
] as const

/** For packers only: admins open messages from the dashboard. */
const MESSAGES_TAB = { label: 'Messages', path: '/admin/messages', icon: Mail } as const

export function tabsOf(role: Role) {
  return role === 'admin'
    ? ADMIN_TABS
    : [...ADMIN_TABS, MESSAGES_TAB].filter(({ path }) => canOpen(role, path))
}
