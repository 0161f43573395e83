import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'
import { fetchAsUser, loadBackend, setPublishableKey } from './backend.ts'

let shop: TestShop
/** The paths of the requests. */
let requested: string[] = []

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

beforeEach(() => {
  installStorage()
  vi.stubGlobal('location', new URL(shop.settings.publicUrl))
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    const request = new Request(new URL(input, shop.settings.publicUrl), init)
    requested.push(new URL(request.url).pathname)
    return shop.fetch(request)
  })
  setPublishableKey(shop.keys.publishable)
})

async function signIn() {
  const { email, userId } = await shop.signUp()
  const { auth } = await loadBackend()
  const isSignedIn = async () => (await auth.getSession()).data.session !== null
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  expect(await isSignedIn()).toBe(true)
  requested = []
  return { userId, isSignedIn }
}

const upload = { method: 'POST', headers: { 'tus-resumable': '1.0.0', 'upload-length': '1' } }

it.each([
  ['the list of sessions', '/auth/v1/sessions', {}],
  ['an upload', '/storage/v1/upload/resumable', upload],
])('signs out the browser when its ended session is refused %s', async (_what, path, init) => {
  const { userId, isSignedIn } = await signIn()
  await shop.database.owner.query('delete from auth.sessions where user_id = $1', [userId])

  expect((await fetchAsUser(path, init)).ok).toBe(false)
  expect(await isSignedIn()).toBe(false)
})

it('keeps a session whose request is refused for another reason', async () => {
  const { isSignedIn } = await signIn()

  expect((await fetchAsUser('/storage/v1/upload/resumable', upload)).ok).toBe(false)
  expect(await isSignedIn()).toBe(true)
})

it('sends no second request when the first one is accepted', async () => {
  await signIn()

  expect(await (await fetchAsUser('/auth/v1/sessions')).json()).toHaveLength(2)
  expect(requested).toEqual(['/auth/v1/sessions'])
})
