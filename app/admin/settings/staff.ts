import { useQuery } from '@tanstack/react-query'
import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import { loadBackend } from '#app/session/backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import type { Returns } from '#database'
import type { Role } from '../frame/role.ts'
import { useChange } from '../list/use-change.ts'

/** Someone who works here; `name` is the address where no name is known. */
export type Colleague = Returns<'list_staff'>[number]

export function useStaff() {
  return useQuery({
    queryKey: ['staff'],
    queryFn: () => queryBackend((backend) => backend.rpc('list_staff')),
  })
}

/** What is to become of somebody; of a colleague also `none`. */
export type RoleWish =
  | { role: Role; email: string; colleague: Colleague | null }
  | { role: 'none'; colleague: Colleague }

export function useChangeRole() {
  return useChange({
    change: (wish: RoleWish) =>
      wish.role === 'none'
        ? callBackend((backend) => backend.rpc('revoke_role', { account: wish.colleague.id }))
        : giveRole(wish.email, wish.role),
    done: (wish) => ({ title: roleWords(wish).done }),
    refreshes: ['staff'],
    isShownByForm: (error) => refusalWord(error) === 'not_proven_recently' || accountProblem(error) !== null,
  })
}

/** An account that has not confirmed its address is mailed a link, which confirms it and ends what a stranger may have set up. */
async function giveRole(email: string, role: Role): Promise<void> {
  try {
    await callBackend((backend) => backend.rpc('grant_role', { email, role }))
  } catch (error) {
    if (error instanceof Error && refusalWord(error) === 'mailbox_not_verified') await mailLink(email)
    throw error
  }
}

async function mailLink(email: string): Promise<void> {
  const client = await loadBackend()
  const { error } = await client.auth.resetPasswordForEmail(email, {
    redirectTo: `${location.origin}/auth/new-password`,
  })
  if (error) console.error('the link to confirm the address was not mailed', error)
}

export function asksForProof(error: Error | null): boolean {
  return refusalWord(error) === 'not_proven_recently'
}

const LINK_MAILED =
  'This account has not confirmed its e-mail address yet. We’ve mailed it a link: give the role once the link has been opened.'

/** What the form says beside the address, or null for any other problem. */
export function accountProblem(error: Error | null): string | null {
  const reason = refusalWord(error)
  if (reason === 'account_not_found') return error?.message ?? null
  return reason === 'mailbox_not_verified' ? LINK_MAILED : null
}

function refusalWord(error: Error | null): string | null {
  return isBackendError(error?.cause) ? error.cause.details : null
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
    case 'packer':
      return {
        title: 'Make a packer',
        question: `${who} will be able to make and ship orders, answer messages and look through photos, and nothing else: no payments, clients or settings, and no deleting.`,
        confirm: 'Make packer',
        done: `${who} is a packer`,
      }
    case 'none':
      return {
        title: 'Remove access',
        question: `${who} loses access at once. The account itself stays, with its orders.`,
        confirm: 'Remove access',
        done: `${who} no longer has access`,
      }
  }
}
