import { useQuery } from '@tanstack/react-query'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { isRefusal } from '#app/session/refusal.ts'
import type { Role } from '../frame/role.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `list_staff()`: somebody who works here. */
export interface Colleague {
  id: string
  /** Their name, or else the address. */
  name: string
  email: string
  role: Role
  since: string
  has_second_factor: boolean
}

export function useStaff() {
  return useQuery({
    queryKey: ['staff'],
    queryFn: () => askBackend<Colleague[]>((backend) => backend.rpc('list_staff')),
  })
}

/** What is to become of somebody; of a colleague also `none`. */
export type RoleWish =
  | { role: Role; email: string; colleague: Colleague | null }
  | { role: 'none'; colleague: Colleague }

export function useChangeRole() {
  return useChange({
    change: (wish: RoleWish) =>
      tellBackend((backend) =>
        wish.role === 'none'
          ? backend.rpc('take_role', { account: wish.colleague.id })
          : backend.rpc('give_role', { email: wish.email, role: wish.role }),
      ),
    done: (wish) => ({ title: roleWords(wish).done }),
    refreshes: ['staff'],
    isToldByForm: (error) => refusalWord(error) === 'not_proven_recently' || isUnknownAccount(error),
  })
}

export function asksForProof(error: Error | null): boolean {
  return refusalWord(error) === 'not_proven_recently'
}

export function isUnknownAccount(error: Error | null): boolean {
  return refusalWord(error) === 'account_not_found'
}

function refusalWord(error: Error | null): string | null {
  return isRefusal(error?.cause) ? error.cause.details : null
}

interface RoleWords {
  title: string
  question: string
  confirm: string
  done: string
}

/** How a wish is asked about, and what is said once it is done. */
export function roleWords(wish: RoleWish): RoleWords {
  const who = wish.colleague?.name ?? ('email' in wish ? wish.email : '')
  switch (wish.role) {
    case 'admin':
      return {
        title: 'Make an admin',
        question: `${who} will be able to do everything that you can: money, clients, settings, and who works here.`,
        confirm: 'Make admin',
        done: `${who} is an admin`,
      }
    case 'helper':
      return {
        title: 'Make a helper',
        question: `${who} will be able to make and ship orders, answer messages and look through photos, and nothing else: no payments, clients or settings, and no deleting.`,
        confirm: 'Make helper',
        done: `${who} is a helper`,
      }
    case 'none':
      return {
        title: 'Take the role',
        question: `${who} is out of the admin area with the next tap. The account itself stays, with its orders.`,
        confirm: 'Take the role',
        done: `${who} does not work here any more`,
      }
  }
}
