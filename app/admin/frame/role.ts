import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { matchPath } from 'react-router'
import { isPacker } from '#app/data/is-packer.ts'
import { useSession } from '#app/data/session.tsx'
import { ADMIN_PAGES } from '../pages.ts'

/** The database decides what each role may do (decision 0021); the pages only hide what it would refuse. */
export type Role = 'admin' | 'packer'

export const RoleContext = createContext<Role>('admin')

export function useIsPacker(): boolean {
  return use(RoleContext) === 'packer'
}

/** Returns the role of the signed-in user: `null` for none, `undefined` while loading. */
export function useCurrentRole(): Role | null | undefined {
  const { user, isAdmin } = useSession()
  const packer = useQuery({
    queryKey: ['is-packer', user?.id],
    enabled: user !== null && isAdmin === false,
    queryFn: () => user !== null && isPacker(user.id),
  })
  if (isAdmin === null) return undefined
  if (isAdmin) return 'admin'
  if (user === null || packer.isError) return null
  if (packer.data === undefined) return undefined
  return packer.data ? 'packer' : null
}

export function canOpen(role: Role, path: string): boolean {
  if (role === 'admin') return true
  for (const { path: page, children, packers } of ADMIN_PAGES) {
    const match = matchPath({ path: `/admin/${page}`, end: !children }, path)
    if (match) return typeof packers === 'function' ? packers(match.params) : packers === true
  }
  return false
}
