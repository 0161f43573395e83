import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { followSession } from './follow-session.ts'
import type { KnownSession } from './stored-session.ts'

type AuthListener = (event: string, session: object | null) => void

const backend = vi.hoisted(() => ({
  listeners: [] as ((client: object) => void)[],
  loads: 0,
  roles: [] as string[],
  role: async (_userId: string): Promise<{ role: string }[]> => [],
  change: ((): void => undefined) as AuthListener,
}))
vi.mock('./backend.ts', () => {
  const client = {
    auth: {
      onAuthStateChange: (listener: AuthListener) => {
        backend.change = listener
        return { data: { subscription: { unsubscribe: () => (backend.change = () => {}) } } }
      },
    },
    from: () => ({
      select: () => ({
        eq: async (_column: string, userId: string) => {
          backend.roles.push(userId)
          return backend.role(userId).then(
            (data) => ({ data, error: null }),
            (error: unknown) => ({ data: null, error }),
          )
        },
      }),
    }),
  }
  return {
    loadBackend: async () => {
      backend.loads += 1
      for (const listener of backend.listeners.splice(0)) listener(client)
      return client
    },
    onBackendLoaded: (listener: (loaded: object) => void) => {
      backend.listeners.push(listener)
      return () => {}
    },
  }
})

const KEY = 'sb-shop-auth-token'
const replace = vi.fn<(path: string) => void>()
let browser: EventTarget
let sessions: (string | null)[]
let roles: unknown[]
let stop: () => void

beforeEach(() => {
  installStorage()
  Object.assign(backend, { listeners: [], loads: 0, roles: [], role: async () => [] })
  replace.mockReset()
  browser = new EventTarget()
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  stubLocation('')
  sessions = []
  roles = []
  stop = () => {}
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const stubLocation = (hash: string, pathname = '/') =>
  vi.stubGlobal('location', { hostname: 'shop.example', hash, pathname, replace })

const sessionOf = (id: string, factors: object[] = []) => ({ refresh_token: 'r', user: { id, factors } })
const store = (session: object | null) =>
  session ? localStorage.setItem(KEY, JSON.stringify(session)) : localStorage.removeItem(KEY)

function follow() {
  stop = followSession({
    onSession: (session: KnownSession | null) => void sessions.push(session?.user.id ?? null),
    onRole: (user) => void roles.push(user),
  })
}

function changeInOtherTab(session: object | null) {
  store(session)
  browser.dispatchEvent(Object.assign(new Event('storage'), { key: KEY }))
}

/** `persisted`: the page comes from the back/forward cache. */
const show = (persisted: boolean) =>
  browser.dispatchEvent(Object.assign(new Event('pageshow'), { persisted }))

const settled = () => new Promise((resolve) => setTimeout(resolve))

it('reports a visitor at once and loads no client for one', async () => {
  follow()
  await settled()

  expect(sessions).toEqual([null])
  expect(backend.loads).toBe(0)
})

it('reports a stored session at once, and the role of its user', async () => {
  backend.role = async () => [{ role: 'packer' }]
  store(sessionOf('thandi'))

  follow()
  expect(sessions).toEqual(['thandi'])
  await settled()

  expect(roles).toEqual([{ userId: 'thandi', role: 'packer' }])
})

it('stays signed in when the client cannot refresh the stored session without a connection', async () => {
  store(sessionOf('thandi'))
  follow()
  await settled()

  backend.change('INITIAL_SESSION', null)

  expect(sessions).toEqual(['thandi'])
})

it('follows a sign-in and a sign-out in another tab', async () => {
  follow()
  changeInOtherTab(sessionOf('thandi'))
  await settled()
  changeInOtherTab(null)

  expect(sessions).toEqual([null, 'thandi', null])
  expect(backend.loads).toBeGreaterThan(0)
})

it('notices that the customer has signed out while the page was in the back/forward cache', async () => {
  store(sessionOf('thandi'))
  follow()
  await settled()

  store(null)
  show(false)
  expect(sessions).toEqual(['thandi'])
  show(true)

  expect(sessions).toEqual(['thandi', null])
})

it('reads the role of a user once, however often the session is refreshed', async () => {
  store(sessionOf('thandi'))
  follow()
  await settled()
  backend.change('TOKEN_REFRESHED', {
    ...sessionOf('thandi'),
    user: { id: 'thandi', email: 'new@example.com' },
  })
  await settled()

  expect(backend.roles).toEqual(['thandi'])
})

it('does not give a user the role that arrives late for the user before', async () => {
  const answers = new Map<string, (rows: { role: string }[]) => void>()
  backend.role = (userId) => new Promise((resolve) => answers.set(userId, resolve))
  store(sessionOf('admin'))
  follow()
  await settled()
  backend.change('SIGNED_IN', sessionOf('thandi'))
  await settled()

  answers.get('thandi')?.([])
  answers.get('admin')?.([{ role: 'admin' }])
  await settled()

  expect(roles).toEqual([{ userId: 'thandi', role: null }])
})

// covers S8.6
it('logs and reports a failed lookup of the role, and asks again', async () => {
  vi.useFakeTimers()
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const failure = { code: '57014', message: 'timeout' }
  backend.role = () => Promise.reject(failure)
  store(sessionOf('admin'))
  follow()

  await vi.advanceTimersByTimeAsync(9_900)
  expect(backend.roles).toHaveLength(2)
  expect(logged).toHaveBeenCalledWith('admin check failed', failure)
  const failed = { userId: 'admin', role: undefined }
  expect(roles).toEqual([failed, failed])
  backend.role = async () => [{ role: 'admin' }]
  await vi.advanceTimersByTimeAsync(200)

  expect(roles).toEqual([failed, failed, { userId: 'admin', role: 'admin' }])
})

it('does not ask again for the role of a user who has signed out', async () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockReturnValue()
  backend.role = () => Promise.reject(new Error('no network'))
  store(sessionOf('admin'))
  follow()
  await vi.advanceTimersByTimeAsync(500)

  changeInOtherTab(null)
  await vi.advanceTimersByTimeAsync(60_000)

  expect(backend.roles).toEqual(['admin'])
})

it('reads no role before the second step', async () => {
  store(sessionOf('admin', [{ id: 'f1', status: 'verified', factor_type: 'totp' }]))
  follow()
  await settled()

  expect(backend.roles).toEqual([])
})

it('explains a mailed link that was used before, except on a page that explains it itself', () => {
  stubLocation('#error=access_denied&error_code=otp_expired')
  follow()
  expect(replace).toHaveBeenCalledWith('/auth/confirmed#error=access_denied&error_code=otp_expired')
  stop()

  replace.mockReset()
  stubLocation('#error_code=otp_expired', '/auth/new-password')
  follow()
  expect(replace).not.toHaveBeenCalled()
})
