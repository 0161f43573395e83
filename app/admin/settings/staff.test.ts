import { beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { accountProblem, grantRole, requiresReauthentication, roleTexts, type Colleague } from './staff.ts'

const backend = {
  rpc: async (): Promise<object> => ({}),
  auth: { resetPasswordForEmail: async (): Promise<object> => ({}) },
}
vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

beforeEach(() => {
  browser.client = backend
  vi.stubGlobal('location', { origin: 'https://shop.example' })
})

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
  expect(accountProblem(refusal('last_admin'))).toBeNull()
  expect(accountProblem(null)).toBeNull()
})

it('asks for the password again only when the sign-in is too old', () => {
  expect(requiresReauthentication(refusal('not_proven_recently'))).toBe(true)
  expect(requiresReauthentication(refusal('account_not_found'))).toBe(false)
})

const unconfirmed = { code: 'PT409', message: '', details: 'mailbox_not_verified', hint: null }
const limited = { code: 'over_email_send_rate_limit', status: 429 }

it.each([
  ['was e-mailed', null, 'We’ve e-mailed it a link'],
  [
    'is limited',
    Object.assign(new Error('after 90 seconds'), limited),
    'so soon. Ask them to open an earlier one',
  ],
  ['failed', Object.assign(new Error('down'), { code: 'unexpected_failure', status: 500 }), 'was not sent'],
  ['got no answer', Object.assign(new Error(''), { status: 0 }), 'may already be on its way'],
])('says of a role for an unconfirmed account when its link %s', async (_case, mailError, text) => {
  vi.spyOn(console, 'error').mockReturnValue()
  backend.rpc = async () => ({ data: null, error: unconfirmed })
  backend.auth.resetPasswordForEmail = async () => ({ data: null, error: mailError })

  const problem = await grantRole(THEM.email, 'packer').then(() => null, accountProblem)

  expect(problem).toContain('This account has not confirmed its e-mail address yet.')
  expect(problem).toContain(text)
})
