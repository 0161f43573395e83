import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setPublishableKey } from '#app/data/backend.ts'
import { installStorage } from '#test/browser-storage.ts'
import { displacedUser, dropTokens, followMailLink, keepTokens, readMailLink } from './mail-link.ts'

/** The requests that reached the shop. */
let requests: Request[]
let answer: () => Response

beforeEach(() => {
  installStorage()
  setPublishableKey('publishable')
  requests = []
  vi.stubGlobal('location', { origin: 'https://shop.example', hostname: 'shop.example' })
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    requests.push(new Request(new URL(path, 'https://shop.example'), init))
    return answer()
  })
})

afterEach(() => void vi.useRealTimers())

/** Stores a session where the client does so in a browser. */
function signIn(id: string) {
  const session = { refresh_token: 'refresh', user: { id, email: `${id}@example.com` } }
  localStorage.setItem('sb-shop-auth-token', JSON.stringify(session))
}

/** A token that the client takes for valid. */
function aToken(lifetimeMs = SESSION_MS) {
  const parts = [{ alg: 'HS256' }, { exp: (Date.now() + lifetimeMs) / 1000 }, {}]
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}

const tokensOf = (id: string) => ({ access_token: `new-${id}`, refresh_token: 'r', user: { id } })
const SESSION_MS = 3_600_000
const link = { tokenHash: 'hash', type: 'recovery', next: '/' }

it('reads token, type and page from the fragment of a mailed link', () => {
  const page = encodeURIComponent('https://shop.example/account/orders/7?tab=1')

  expect(readMailLink(`#token_hash=abc&type=signup&redirect_to=${page}`)).toEqual({
    tokenHash: 'abc',
    type: 'signup',
    next: '/account/orders/7?tab=1',
  })
})

it.each(['', '#type=signup', '#token_hash=abc'])('reads no mailed link from the fragment %j', (hash) => {
  expect(readMailLink(hash)).toBeNull()
})

it.each(['https://evil.example//evil.example', 'javascript:alert(1)', '//evil.example', ''])(
  'opens the home page after a mailed link that leads to %j',
  (address) => {
    expect(readMailLink(`#token_hash=a&type=b&redirect_to=${encodeURIComponent(address)}`)?.next).toBe('/')
  },
)

it.each([500, 503, 429])('does not call a mailed link used up when the shop answers %i', async (status) => {
  answer = () => new Response('', { status })

  await expect(followMailLink(link)).rejects.toThrow(String(status))
})

it('tells a used link, the first link of two and a sign-in apart', async () => {
  answer = () => Response.json({}, { status: 403 })
  expect(await followMailLink(link)).toEqual({ outcome: 'refused' })

  answer = () => Response.json({ msg: 'Confirmation link accepted' })
  expect(await followMailLink(link)).toEqual({ outcome: 'half-done' })

  answer = () => Response.json(tokensOf('thandi'))
  expect(await followMailLink(link)).toEqual({ outcome: 'signed-in', tokens: tokensOf('thandi') })
})

it('follows a mailed link as the visitor, or with the session of this browser', async () => {
  answer = () => Response.json(tokensOf('thandi'))
  await followMailLink(link)
  expect(requests[0]?.headers.get('apikey')).toBe('publishable')
  expect(requests[0]?.headers.get('authorization')).toBeNull()
  expect(await requests[0]?.json()).toEqual({ type: 'recovery', token_hash: 'hash' })

  const tokens = { ...tokensOf('thandi'), access_token: aToken() }
  answer = () => Response.json(tokens.user)
  await keepTokens(tokens)
  signIn('thandi')
  await followMailLink(link)

  expect(requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${tokens.access_token}`)
})

it.each([429, 503])(
  'does not follow a mailed link as a visitor when the refresh of this browser’s session gets a %i',
  async (status) => {
    const tokens = { ...tokensOf('thandi'), access_token: aToken(), refresh_token: `refresh ${status}` }
    answer = () => Response.json(tokens.user)
    await keepTokens(tokens)
    signIn('thandi')
    vi.useFakeTimers({ now: Date.now() + 2 * SESSION_MS })
    answer = () => Response.json({}, { status })

    const outcome = expect(followMailLink(link)).rejects.toThrow()
    // The client repeats a failed refresh for half a minute, and tries none within a minute of that.
    await vi.advanceTimersByTimeAsync(120_000)
    await outcome
    expect(requests.map(({ url }) => new URL(url).pathname)).not.toContain('/auth/v1/verify')

    answer = () => Response.json({ error_code: 'refresh_token_not_found', msg: '' }, { status: 400 })
    await followMailLink(link)
    expect(requests.at(-1)?.url).toContain('/auth/v1/verify')
    expect(requests.at(-1)?.headers.get('authorization')).toBeNull()
  },
)

it.each([
  { session: 'a valid session', ageMs: 0, lostAt: '/auth/v1/health' },
  { session: 'a valid session', ageMs: 0, lostAt: '/auth/v1/user' },
  { session: 'an expired session', ageMs: 2 * SESSION_MS, lostAt: '/auth/v1/health' },
])(
  'gives a mailed link up at once when the signal of a browser with $session is lost at $lostAt',
  async ({ ageMs, lostAt }) => {
    const tokens = { ...tokensOf('thandi'), access_token: aToken() }
    answer = () => Response.json(tokens.user)
    await keepTokens(tokens)
    signIn('thandi')
    vi.useFakeTimers({ now: Date.now() + ageMs, toFake: ['Date'] })
    requests = []
    answer = () => {
      if (requests.at(-1)?.url.endsWith(lostAt)) throw new TypeError('Failed to fetch')
      return Response.json({})
    }

    await expect(followMailLink(link)).rejects.toThrow('Failed to fetch')
    expect(requests.at(-1)?.url).toContain(lostAt)
  },
)

/** By the clock of the server, the token of this browser has expired. Returns it, and answers a refresh with `refresh`. */
async function expireOnServer(refresh: () => Response) {
  const tokens = { ...tokensOf('thandi'), access_token: aToken(), refresh_token: 'of this browser' }
  answer = () => Response.json(tokens.user)
  await keepTokens(tokens)
  signIn('thandi')
  requests = []
  answer = () => {
    const request = requests.at(-1)
    if (request?.url.includes('/token')) return refresh()
    const isExpired = request?.headers.get('authorization') === `Bearer ${tokens.access_token}`
    return isExpired
      ? Response.json({ code: 403, error_code: 'bad_jwt', msg: '' }, { status: 403 })
      : Response.json(tokensOf('thandi'))
  }
}

it('follows a mailed link with a renewed session when the clock of this browser is behind', async () => {
  const renewed = { ...tokensOf('thandi'), access_token: aToken(2 * SESSION_MS), expires_in: 7200 }
  await expireOnServer(() => Response.json(renewed))

  expect((await followMailLink(link)).outcome).toBe('signed-in')
  expect(requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${renewed.access_token}`)
})

it('does not follow a mailed link with a token that the server refuses', async () => {
  await expireOnServer(() => Response.json({ error_code: 'request_refused', msg: '' }, { status: 403 }))

  await expect(followMailLink(link)).rejects.toThrow('the session could not be refreshed')
  expect(requests.map(({ url }) => new URL(url).pathname)).not.toContain('/auth/v1/verify')
})

it('asks before a mailed link replaces the session of another user only', () => {
  expect(displacedUser(tokensOf('thandi'))).toBeNull()
  signIn('thandi')
  expect(displacedUser(tokensOf('thandi'))).toBeNull()
  expect(displacedUser(tokensOf('sipho'))).toMatchObject({ email: 'thandi@example.com' })
})

it('ends only the session of a mailed link that the visitor decides against', async () => {
  answer = () => new Response(null, { status: 204 })
  signIn('thandi')

  await dropTokens(tokensOf('sipho'))

  expect(requests[0]?.headers.get('authorization')).toBe('Bearer new-sipho')
  expect(requests[0]?.url).toContain('scope=local')
  expect(localStorage.getItem('sb-shop-auth-token')).toContain('thandi')
})
