import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { loadPendingEmail, requestEmailChange } from './email-change.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop
let customer: Person

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  vi.stubGlobal('location', new URL(shop.settings.publicUrl))
  customer = await shop.signUp()
  browser.client = customer.client
})

it('refuses to change an e-mail address to the present one, which gets no links', async () => {
  const typed = customer.email.toUpperCase()

  expect(await requestEmailChange(typed, customer.email)).toBe('You already sign in with this e-mail.')
  expect(await loadPendingEmail()).toBeNull()
})

it('announces a change of the e-mail address until its links expire after an hour', async () => {
  const address = `new-${customer.email}`
  const age = (interval: string) =>
    shop.database.owner.query(
      'update auth.users set email_change_sent_at = now() - $2::interval where id = $1',
      [customer.userId, interval],
    )

  expect(await requestEmailChange(address, customer.email)).toBeNull()
  expect(await loadPendingEmail()).toBe(address)
  await age('59 minutes')
  expect(await loadPendingEmail()).toBe(address)
  await age('1 hour')
  expect(await loadPendingEmail()).toBeNull()
})

it('shows the new e-mail address once a change was confirmed on another device', async () => {
  const address = `new-${customer.email}`
  await shop.database.owner.query('update auth.users set email = $1 where id = $2', [
    address,
    customer.userId,
  ])

  expect(await loadPendingEmail()).toBeNull()
  expect((await customer.client.auth.getSession()).data.session?.user.email).toBe(address)
})
