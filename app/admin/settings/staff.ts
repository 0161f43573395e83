import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Returns } from '#database'
import { failureText } from '#app/data/failure-text.ts'
import type { Role } from '#app/data/staff-role.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { mailRefusal, retryTime } from '#app/sign-in/mail-limit.ts'

/** A staff member; `name` is the e-mail address if no name is known. */
export type Colleague = Returns<'list_staff'>[number]

export function useStaff() {
  return useBackendQuery(['staff'], (backend) => backend.rpc('list_staff'))
}

/** A role to grant, by e-mail address, or to revoke. */
export type RoleChange =
  | { role: Role; email: string; colleague: Colleague | null }
  | { role: 'none'; colleague: Colleague }

export function useChangeRole() {
  return useToastMutation({
    mutationFn: (roleChange: RoleChange) =>
      roleChange.role === 'none'
        ? queryBackend((backend) => backend.rpc('revoke_role', { account: roleChange.colleague.id }))
        : grantRole(roleChange.email, roleChange.role),
    success: (roleChange) => ({ title: roleTexts(roleChange).done }),
    invalidates: ['staff'],
    isShownByForm: (error) => requiresReauthentication(error) || accountProblem(error) !== null,
  })
}

/**
 * If the account has not confirmed its address, e-mails it a password reset link: the reset confirms the address and locks out
 * anyone who registered it before its owner. The message of the error then says whether the link was sent.
 */
export async function grantRole(email: string, role: Role): Promise<void> {
  try {
    await queryBackend((backend) => backend.rpc('grant_role', { email, role }))
  } catch (error) {
    const cause = backendError(error, 'mailbox_not_verified')
    throw cause ? new Error(`${NOT_CONFIRMED} ${await sendResetLink(email)}`, { cause }) : error
  }
}

const NOT_CONFIRMED = 'This account has not confirmed its e-mail address yet.'

const linkFailure = failureText({
  refused: 'The e-mail with its link was not sent. Please try again.',
  lost: 'We didn’t get an answer, so an e-mail with a link may already be on its way.',
})

/** Returns the text for the outcome. */
async function sendResetLink(email: string): Promise<string> {
  const redirectTo = `${location.origin}/auth/new-password`
  const sending = queryBackend(({ auth }) => auth.resetPasswordForEmail(email, { redirectTo }))
  try {
    const refusal = await mailRefusal(sending, tooSoonText)
    return refusal ?? 'We’ve e-mailed it a link: add the role once they’ve opened it.'
  } catch (error) {
    console.error('the reset link was not sent', error)
    return linkFailure(error)
  }
}

function tooSoonText(nextAt: number): string {
  return `We couldn’t e-mail it another link so soon. Ask them to open an earlier one, or try again ${retryTime(nextAt)}.`
}

export function requiresReauthentication(error: Error | null): boolean {
  return backendError(error, 'not_proven_recently') !== null
}

/** Returns the message for the address field; `null` for any other error. */
export function accountProblem(error: Error | null): string | null {
  return backendError(error, 'account_not_found', 'mailbox_not_verified') && (error?.message ?? null)
}

interface RoleTexts {
  title: string
  question: string
  confirm: string
  done: string
}

/** Returns the texts of the confirmation dialog and the success toast. */
export function roleTexts(roleChange: RoleChange): RoleTexts {
  const who = roleChange.colleague?.name ?? ('email' in roleChange ? roleChange.email : '')
  switch (roleChange.role) {
    case 'admin':
      return {
        title: 'Make an admin',
        question: `${who} will be able to do everything you can, including payments, clients, settings and staff.`,
        confirm: 'Make admin',
        done: `${who} is an admin`,
      }
    case 'packer':
      return {
        title: 'Make a packer',
        question: `${who} will be able to process and ship orders, answer messages and review photos, but not to see payments, clients or settings or to delete anything.`,
        confirm: 'Make packer',
        done: `${who} is a packer`,
      }
    case 'none':
      return {
        title: 'Remove access',
        question: `${who} loses access at once, but keeps the account and its orders.`,
        confirm: 'Remove access',
        done: `${who} no longer has access`,
      }
  }
}
