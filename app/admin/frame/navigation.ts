import {
  Images,
  LayoutDashboard,
  Mail,
  Package,
  ShoppingBag,
  Ticket,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { use } from 'react'
import { ADMIN_PAGES, type TabPath } from '../pages.ts'
import { canOpen, RoleContext } from './role.ts'

const ICONS: Partial<Record<string, LucideIcon>> = {
  '': LayoutDashboard,
  orders: ShoppingBag,
  clients: Users,
  products: Package,
  'promo-codes': Ticket,
  gallery: Images,
  messages: Mail,
} satisfies Record<TabPath, LucideIcon>

/** A page, and the letter that opens it after `g`. */
interface Destination {
  label: string
  path: string
  key: string
}

export const SECURITY: Destination = { label: 'Sign-in and security', path: '/account/security', key: 'a' }

/** Returns the pages that the user's role may open, in the places that link to them. Packers have a tab for each of their pages. */
export function useNavigation() {
  const role = use(RoleContext)
  const pages = ADMIN_PAGES.flatMap((page) => {
    const path = page.path === '' ? '/admin' : `/admin/${page.path}`
    if (page.label === undefined || !canOpen(role, path)) return []
    const place = role === 'packer' ? 'tab' : page.place
    return [{ label: page.label, path, key: page.key, place, icon: ICONS[page.path] }]
  })
  const pagesIn = (place: 'tab' | 'more') => pages.filter((page) => page.place === place)
  const destinations: Destination[] = [...pages, SECURITY]
  return { tabs: pagesIn('tab'), more: pagesIn('more'), destinations }
}
