import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { installStorage } from '#test/browser-storage.ts'
import { forgetSession, SIGN_OUT_EVENT, signOut } from './sign-out.ts'

type Answer = Promise<{ error: Error | null }>

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

const auth = { signOut: (_options: object): unknown => undefined }

const KEY = 'sb-shop-auth-token'
const replace = vi.fn<(path: string) => void>()
const reload = vi.fn<() => void>()
/** The storage events that this tab sees. */
let seen: StorageEventInit[]

beforeEach(() => {
  browser.client = { auth }
  installStorage()
  vi.spyOn(console, 'error').mockReturnValue()
  replace.mockReset()
  reload.mockReset()
  seen = []
  vi.stubGlobal('location', { hostname: 'shop.example', pathname: '/faq', replace, reload })
  vi.stubGlobal(
    'StorageEvent',
    class {
      readonly key: string | null | undefined
      constructor(_type: string, { key }: StorageEventInit) {
        this.key = key
      }
    },
  )
  vi.stubGlobal('dispatchEvent', (event: StorageEvent) => void seen.push({ key: event.key }))
  localStorage.setItem(KEY, 'session')
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function answerWith(answer: () => Answer) {
  return vi.spyOn(auth, 'signOut').mockImplementation(answer)
}

it('ends only the session of this browser, and announces to the pages that the customer is leaving', async () => {
  const call = answerWith(async () => ({ error: null }))

  const ended = signOut()
  expect(seen).toEqual([{ key: SIGN_OUT_EVENT }])
  await ended

  expect(call).toHaveBeenCalledWith({ scope: 'local' })
  expect(replace).not.toHaveBeenCalled()
})

it.each([
  ['returns an error', async () => ({ error: new Error('offline') })],
  ['fails', () => Promise.reject(new Error('offline'))],
])('deletes the stored session when the sign-out %s', async (_case, answer) => {
  answerWith(answer)

  await signOut()

  expect(localStorage.getItem(KEY)).toBeNull()
  expect(seen).toEqual([{ key: SIGN_OUT_EVENT }, { key: KEY }])
  expect(replace).not.toHaveBeenCalled()
})

it('deletes the stored session after five seconds without an answer, and leaves the page', async () => {
  vi.useFakeTimers()
  answerWith(() => new Promise(() => {}))

  void signOut()
  await vi.advanceTimersByTimeAsync(4_900)
  expect(localStorage.getItem(KEY)).toBe('session')
  await vi.advanceTimersByTimeAsync(200)

  expect(localStorage.getItem(KEY)).toBeNull()
  expect(replace).toHaveBeenCalledWith('/')
})

it('stays on a page that was opened during those five seconds', async () => {
  vi.useFakeTimers()
  answerWith(() => new Promise(() => {}))

  void signOut()
  await vi.advanceTimersByTimeAsync(4_900)
  location.pathname = '/contact'
  await vi.advanceTimersByTimeAsync(200)

  expect(localStorage.getItem(KEY)).toBeNull()
  expect(replace).not.toHaveBeenCalled()
  expect(reload).toHaveBeenCalledTimes(1)
})

it('ends the session of a deleted account without asking the server', () => {
  const call = answerWith(async () => ({ error: null }))

  forgetSession()

  expect(call).not.toHaveBeenCalled()
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(seen).toEqual([{ key: SIGN_OUT_EVENT }, { key: KEY }])
})
