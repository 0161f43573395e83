import { createContext, use } from 'react'
import { matchPath } from 'react-router'
import type { Role } from '#app/data/staff-role.ts'
import { ADMIN_PAGES } from '../pages.ts'

export const RoleContext = createContext<Role>('admin')

export function useIsPacker(): boolean {
  return use(RoleContext) === 'packer'
}

export function canOpen(role: Role, path: string): boolean {
  if (role === 'admin') return true
  for (const { path: page, children, packers } of ADMIN_PAGES) {
    const match = matchPath({ path: `/admin/${page}`, end: !children }, path)
    if (match) return typeof packers === 'function' ? packers(match.params) : packers === true
  }
  return false
}
