import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { isHelper } from '#app/session/is-helper.ts'
import { useSession } from '#app/session/session.tsx'

/** Who works here; what each may do the database decides (decision 0021), the pages only leave out what it would refuse. */
export type Role = 'admin' | 'helper'

export const RoleContext = createContext<Role>('admin')

export function useIsHelper(): boolean {
  return use(RoleContext) === 'helper'
}

/** The role of whoever is signed in; `null` is none, `undefined` is not known yet. */
export function useAskedRole(): Role | null | undefined {
  const { user, isAdmin } = useSession()
  const helper = useQuery({
    queryKey: ['is-helper', user?.id],
    enabled: user !== null && isAdmin === false,
    queryFn: () => user !== null && isHelper(user.id),
  })
  if (isAdmin === null) return undefined
  if (isAdmin) return 'admin'
  if (user === null || helper.isError) return null
  if (helper.data === undefined) return undefined
  return helper.data ? 'helper' : null
}

/** What a helper has pages for. */
const HELPERS_PAGES = [
  '/admin/orders',
  '/admin/gallery',
  '/admin/messages',
  '/admin/print/packing-slips',
  '/account/security',
]

export function isOpenTo(role: Role, path: string): boolean {
  if (role === 'admin') return true
  return (
    path !== '/admin/orders/new' && HELPERS_PAGES.some((page) => path === page || path.startsWith(`${page}/`))
  )
}
