import { Images, LayoutDashboard, Package, ShoppingBag, Ticket, Users } from 'lucide-react'

/** The tabs and their addresses; `app/routes.ts` has the same list. */
export const ADMIN_TABS = [
  { label: 'Dashboard', path: '/admin', icon: LayoutDashboard },
  { label: 'Orders', path: '/admin/orders', icon: ShoppingBag },
  { label: 'Clients', path: '/admin/clients', icon: Users },
  { label: 'Products', path: '/admin/products', icon: Package },
  { label: 'Promo Codes', path: '/admin/promo-codes', icon: Ticket },
  { label: 'Gallery', path: '/admin/gallery', icon: Images },
] as const
