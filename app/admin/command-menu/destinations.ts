import { use } from 'react'
import { canOpen, RoleContext } from '../frame/role.ts'

/** A page, and the letter that opens it after `g`. */
export interface Destination {
  label: string
  path: string
  key: string
}

const DESTINATIONS: readonly Destination[] = [
  { label: 'Dashboard', path: '/admin', key: 'd' },
  { label: 'Orders', path: '/admin/orders', key: 'o' },
  { label: 'Clients', path: '/admin/clients', key: 'c' },
  { label: 'Products', path: '/admin/products', key: 'p' },
  { label: 'Promo Codes', path: '/admin/promo-codes', key: 'r' },
  { label: 'Gallery', path: '/admin/gallery', key: 'g' },
  { label: 'Needs attention', path: '/admin/needs-attention', key: 'n' },
  { label: 'Messages', path: '/admin/messages', key: 'm' },
  { label: 'Low stock', path: '/admin/low-stock', key: 'l' },
  { label: 'Newsletter subscribers', path: '/admin/subscribers', key: 'w' },
  { label: 'History', path: '/admin/history', key: 'h' },
  { label: 'Settings', path: '/admin/settings', key: 's' },
  { label: 'Sign-in and security', path: '/account/security', key: 'a' },
]

/** Returns the pages that the user's role may open. */
export function useDestinations(): Destination[] {
  const role = use(RoleContext)
  return DESTINATIONS.filter(({ path }) => canOpen(role, path))
}
