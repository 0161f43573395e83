import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { loadBackend, setPublishableKey } from '#app/data/backend.ts'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'
import { provePassword } from './prove-password.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

beforeEach(() => {
  installStorage()
  vi.stubGlobal('location', new URL(shop.settings.publicUrl))
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
    shop.fetch(new Request(new URL(input, shop.settings.publicUrl), init)),
  )
  setPublishableKey(shop.keys.publishable)
})

async function signIn() {
  const { email, userId } = await shop.signUp()
  const { auth } = await loadBackend()
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  return { email, userId, auth }
}

it('accepts the password after a change of the e-mail address that was confirmed on another device', async () => {
  const { email, userId, auth } = await signIn()
  await shop.database.owner.query('update auth.users set email = $2 where id = $1', [userId, `new-${email}`])

  expect(await provePassword('wrong')).toBe('This is not your password.')
  expect(await provePassword(PASSWORD)).toBeNull()
  expect((await auth.getSession()).data.session?.user).toMatchObject({ id: userId, email: `new-${email}` })
})
