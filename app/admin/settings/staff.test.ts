import { expect, it } from 'vitest'
import { accountProblem, requiresReauthentication, roleTexts, type Colleague } from './staff.ts'

const THEM: Colleague = {
  id: '1',
  name: 'Pieter',
  email: 'pieter@example.com',
  role: 'packer',
  since: '2026-11-01T08:00:00Z',
  has_second_factor: true,
}

const refusal = (details: string) =>
  new Error('No account has this address.', { cause: { code: 'PT409', details, hint: null } })

it('asks with the person’s name before a role is granted or removed', () => {
  const granted = roleTexts({ role: 'admin', email: 'pieter@example.com', colleague: null })

  expect(granted.question).toContain('pieter@example.com will be able to do everything you can')
  expect(roleTexts({ role: 'packer', email: THEM.email, colleague: THEM }).question).toContain(
    'but not to see payments, clients or settings',
  )
  expect(roleTexts({ role: 'none', colleague: THEM })).toMatchObject({
    confirm: 'Remove access',
    done: 'Pieter no longer has access',
  })
})

it('shows at the address why a role was refused, and no other error there', () => {
  expect(accountProblem(refusal('account_not_found'))).toBe('No account has this address.')
  expect(accountProblem(refusal('mailbox_not_verified'))).toContain('has not confirmed its e-mail address')
  expect(accountProblem(refusal('last_admin'))).toBeNull()
  expect(accountProblem(null)).toBeNull()
})

it('asks for the password again only when the sign-in is too old', () => {
  expect(requiresReauthentication(refusal('not_proven_recently'))).toBe(true)
  expect(requiresReauthentication(refusal('account_not_found'))).toBe(false)
})
