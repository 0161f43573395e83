import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { closeAccount, isClosed } from './own-account.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop
let customer: Person

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  customer = await shop.signUp()
  browser.client = customer.client
})

const LOST = { message: 'TypeError: Failed to fetch', details: '', hint: '', code: '' }

/** The account is deleted, but the response is lost. */
function loseResponse(auth: object = customer.client.auth) {
  browser.client = {
    auth,
    rpc: async (name: 'close_account') => {
      await customer.client.rpc(name)
      return { data: null, error: LOST, status: 0 }
    },
  }
}

it('asks the server whether an account is deleted when the response is lost', async () => {
  loseResponse()

  expect(await closeAccount()).toBeNull()
})

it('says that an account may be deleted when the server does not answer at all', async () => {
  loseResponse({ getUser: async () => ({ data: { user: null }, error: { ...LOST, status: 0 } }) })

  expect(await closeAccount()).toBe(
    'We didn’t get an answer, so your account may already be deleted. Please try again.',
  )
})

it('tells a deleted account from one that exists', async () => {
  expect(await isClosed()).toBe(false)

  expect(await closeAccount()).toBeNull()
  expect(await isClosed()).toBe(true)
})
