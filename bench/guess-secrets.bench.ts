/**
 * Guesses links, codes and passwords at full speed at every endpoint that accepts a secret, and prints attempts, hits and
 * refusals. `node bench/guess-secrets.bench.ts [--minutes=10] [--networks=64]` starts the built shop, with an account that has pending
 * mails, a second factor and recovery codes, and attacks it from that many network addresses. Exit code 1 if a guess hits.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend'
import { totpCode } from '@saltfreak/backend/testing'
import { startShop } from '#test/running-shop.ts'
import { withDatabase } from './crowd.ts'

const IN_FLIGHT = 16
const PASSWORD = 'Correct-Horse-7'

interface Answer {
  status: number
  location: string
  text: string
}

interface Sent {
  method?: string
  body?: object
  token?: string
}

type Call = (path: string, sent?: Sent) => Promise<Answer>

interface GuessTarget {
  email: string
  factorId: string
  /** Token of a thief who knows the password. */
  stolen: string
  /** Token of another account's unattended session: two days old, with a pending mailed code. */
  unattended: string
  /** Token of the attacker's own account. */
  own: string
}

interface Guess {
  name: string
  send(call: Call, target: GuessTarget): Promise<Answer>
  isHit(answer: Answer): boolean
}

const secret = () => randomBytes(32).toString('base64url')
const digits = () => String(randomInt(1_000_000)).padStart(6, '0')
const isSignedIn = ({ location, text }: Answer) =>
  /[#&?](access_token|code)=/.test(location) || text.includes('"access_token"')
const isFound = ({ status }: Answer) => status < 400
const mailLink = (name: string): Guess => ({
  name: `POST /mail/${name}/:id`,
  send: (call) => call(`/mail/${name}/${crypto.randomUUID()}`, { body: {} }),
  isHit: isFound,
})

const GUESSES: Guess[] = [
  {
    name: 'GET /auth/v1/verify (link)',
    send: (call) => call(`/auth/v1/verify?type=recovery&token=${secret()}`),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/confirm (link)',
    send: (call) => call(`/auth/v1/confirm?type=recovery&token=${secret()}`, { body: {} }),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/verify (link)',
    send: (call) => call('/auth/v1/verify', { body: { type: 'recovery', token_hash: secret() } }),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/verify (six digits)',
    send: (call, { email }) =>
      call('/auth/v1/verify', { body: { type: 'recovery', email, token: digits() } }),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/token (password)',
    send: (call, { email }) =>
      call('/auth/v1/token?grant_type=password', { body: { email, password: secret() } }),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/token (PKCE code)',
    send: (call) =>
      call('/auth/v1/token?grant_type=pkce', {
        body: { auth_code: crypto.randomUUID(), code_verifier: secret() },
      }),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/token (refresh token)',
    send: (call) =>
      call('/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: secret().slice(0, 22) } }),
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/factors/:id/verify',
    async send(call, { factorId, stolen: token }) {
      const { text } = await call(`/auth/v1/factors/${factorId}/challenge`, { body: {}, token })
      const challenge = /"id":"([^"]+)"/.exec(text)?.[1] ?? crypto.randomUUID()
      return call(`/auth/v1/factors/${factorId}/verify`, {
        body: { challenge_id: challenge, code: digits() },
        token,
      })
    },
    isHit: isSignedIn,
  },
  {
    name: 'POST /auth/v1/factors/recovery-codes/verify',
    send: (call, { stolen: token }) =>
      call('/auth/v1/factors/recovery-codes/verify', { body: { code: secret().slice(0, 16) }, token }),
    isHit: isSignedIn,
  },
  {
    name: 'PUT /auth/v1/user (nonce)',
    send: (call, { unattended: token }) =>
      call('/auth/v1/user', {
        method: 'PUT',
        body: { password: secret(), nonce: digits() },
        token,
      }),
    isHit: isFound,
  },
  {
    name: 'PUT /auth/v1/user (current password)',
    send: (call, { unattended: token }) =>
      call('/auth/v1/user', {
        method: 'PUT',
        body: { password: secret(), current_password: secret() },
        token,
      }),
    isHit: isFound,
  },
  {
    name: 'POST /rest/v1/rpc/validate_promo_code',
    send: (call, { own: token }) =>
      call('/rest/v1/rpc/validate_promo_code', { body: { code_input: secret().slice(0, 8) }, token }),
    isHit: ({ text }) => text.includes('"is_valid":true'),
  },
  mailLink('unsubscribe'),
  mailLink('confirm'),
  mailLink('stock-alerts'),
]

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, networks: { type: 'string', default: '64' } },
})
const [minutes, networks] = [Number(values.minutes), Number(values.networks)]

const shop = await startShop({ TRUST_PROXY: 'true' })
try {
  const { publishable } = await shop.keys()
  const callFrom =
    (address: string): Call =>
    async (path, { method, body, token } = {}) => {
      const response = await fetch(`${shop.url}${path}`, {
        method: method ?? (body ? 'POST' : 'GET'),
        redirect: 'manual',
        headers: {
          apikey: publishable,
          'Content-Type': 'application/json',
          'X-Forwarded-For': address,
          ...(token && { Authorization: `Bearer ${token}` }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const location = response.headers.get('location') ?? ''
      return { status: response.status, location, text: await response.text() }
    }
  const target = await prepareTarget(callFrom('192.0.2.1'))
  const counts = await guessUntil(Date.now() + minutes * 60_000, {
    target,
    callFromAny: () => callFrom(`198.51.100.${randomInt(networks)}`),
  })
  console.table(counts)
  const total = Object.values(counts).reduce((sum, { attempts }) => sum + attempts, 0)
  const hits = Object.values(counts).reduce((sum, count) => sum + count.hits, 0)
  console.log(`${total} guesses in ${minutes} minutes, ${hits} hits`)
  process.exitCode = hits === 0 ? 0 : 1
} finally {
  await shop.stop()
}

/** Creates an account with a pending recovery mail, a verified factor and recovery codes, and sessions of owner and thief. */
async function prepareTarget(call: Call): Promise<GuessTarget> {
  const email = `owner-${crypto.randomUUID()}@example.com`
  const signUp = async (address: string) =>
    JSON.parse((await call('/auth/v1/signup', { body: { email: address, password: PASSWORD } })).text)
  const owner = await signUp(email)
  const thief = await signUp(`thief-${crypto.randomUUID()}@example.com`)

  const token: string = owner.access_token
  const factor = JSON.parse((await call('/auth/v1/factors', { body: { factor_type: 'totp' }, token })).text)
  const path = `/auth/v1/factors/${factor.id}`
  const challenge = JSON.parse((await call(`${path}/challenge`, { body: {}, token })).text)
  const code = totpCode(factor.totp.secret)
  const raised = await call(`${path}/verify`, { body: { challenge_id: challenge.id, code }, token })
  await call('/auth/v1/factors/recovery-codes', {
    method: 'POST',
    token: JSON.parse(raised.text).access_token,
  })
  const stolen = await call('/auth/v1/token?grant_type=password', { body: { email, password: PASSWORD } })
  await call('/auth/v1/recover', { body: { email } })
  const unattended = await signUp(`unattended-${crypto.randomUUID()}@example.com`)
  await call('/auth/v1/reauthenticate', { token: unattended.access_token })
  await makeOld(unattended.user.id)
  return {
    email,
    factorId: factor.id,
    stolen: JSON.parse(stolen.text).access_token,
    unattended: unattended.access_token,
    own: thief.access_token,
  }
}

/** Makes the session two days old, after which changing the password requires reauthentication. */
async function makeOld(userId: string): Promise<void> {
  const postgres = await findRunningPostgres(shop.dataDir)
  if (!postgres) throw new Error('The shop’s database is not running')
  await withDatabase(postgresUrl(postgres, 'supabase_admin'), (client) =>
    client.query(`update auth.sessions set created_at = now() - interval '2 days' where user_id = $1`, [
      userId,
    ]),
  )
}

interface Count {
  attempts: number
  hits: number
  refused429: number
  otherAnswers: number
  brokenConnections: number
}

interface Attack {
  target: GuessTarget
  callFromAny(this: void): Call
}

async function guessUntil(end: number, { target, callFromAny }: Attack): Promise<Record<string, Count>> {
  const counts = Object.fromEntries(
    GUESSES.map(({ name }) => [
      name,
      { attempts: 0, hits: 0, refused429: 0, otherAnswers: 0, brokenConnections: 0 },
    ]),
  )
  let turn = 0
  async function guessOn(): Promise<void> {
    while (Date.now() < end) {
      const guess = GUESSES[turn++ % GUESSES.length]
      const count = guess && counts[guess.name]
      if (!count) return
      // oxlint-disable-next-line no-await-in-loop -- each worker sends one guess after the other
      const answer = await guess.send(callFromAny(), target).catch(() => null)
      count.attempts += 1
      if (!answer) count.brokenConnections += 1
      else if (guess.isHit(answer)) count.hits += 1
      else if (answer.status === 429) count.refused429 += 1
      else count.otherAnswers += 1
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, guessOn))
  return counts
}
