import { afterAll, beforeAll, expect, it } from 'vitest'
import { totpCode } from '@saltfreak/backend/testing'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('shows admins sign-ins, failed passwords, changed passwords and roles, the newest first', async () => {
  const person = await shop.signUp()
  await person.client.auth.signInWithPassword({ email: person.email, password: 'wrong-password' })
  await person.client.auth.signInWithPassword({ email: person.email, password: PASSWORD })
  const { owner } = shop.database
  await owner.query(`insert into public.user_roles (user_id, role) values ($1, 'packer')`, [person.userId])
  await owner.query(`delete from public.user_roles where user_id = $1 and role = 'packer'`, [person.userId])
  await owner.query(`update auth.users set email = 'moved@example.com' where id = $1`, [person.userId])
  const admin = await shop.admin()

  const { data } = await admin.client.functions.invoke('show-system', { body: {} })

  const own = data.accountEvents.filter(
    ({ email, action }: { email: string | null; action: string }) =>
      email === 'moved@example.com' || action === 'login_failed',
  )
  expect(own.map(({ action }: { action: string }) => action)).toEqual([
    'user_modified',
    'role_revoked',
    'role_granted',
    'login',
    'login_failed',
    'login',
    'user_signedup',
  ])
  expect(own[3]).toMatchObject({ address: '127.0.0.1' })
  expect(own[2]).toMatchObject({ detail: 'packer' })
})

it('records a failed password for an address without an account in the same way, without the address', async () => {
  const client = shop.client()
  const before = await countEntries()
  await client.auth.signInWithPassword({ email: 'stranger@example.com', password: 'wrong-password' })

  expect((await countEntries()) - before).toBe(1)
  const { rows } = await shop.database.owner.query(
    `select payload::text as entry from auth.audit_log_entries where payload::text like '%stranger%'`,
  )
  expect(rows).toEqual([])
})

it('shows admins wrong second-factor codes of an app and of recovery, and sign-outs, with their addresses', async () => {
  const { client, email } = await shop.signUp()
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp' })
  const factorId = factor?.id ?? ''
  await client.auth.mfa.challengeAndVerify({ factorId, code: wrongCode(factor?.totp.secret ?? '') })
  await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(factor?.totp.secret ?? '') })
  const { data } = await client.auth.getSession()
  const headers = { apikey: shop.keys.publishable, authorization: `Bearer ${data.session?.access_token}` }
  await shop.fetch('/auth/v1/factors/recovery-codes/verify', {
    method: 'POST',
    headers,
    body: JSON.stringify({ code: 'wrong-code' }),
  })
  await client.auth.signOut()

  const events = (await eventsOf(email)).map(({ action, detail, address }) => [action, detail, address])
  expect(events).toEqual([
    ['logout', null, '127.0.0.1'],
    ['verification_failed', 'recovery code', '127.0.0.1'],
    ['factor_updated', 'totp', null],
    ['verification_failed', 'totp', '127.0.0.1'],
    ['login', null, '127.0.0.1'],
    ['user_signedup', null, null],
  ])
})

it('shows admins a new password and a removed second factor, but not an abandoned one', async () => {
  const { client, email } = await shop.signUp()
  await client.auth.updateUser({ password: 'Another-Horse-8' })
  const { data: abandoned } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'tablet' })
  await client.auth.mfa.unenroll({ factorId: abandoned?.id ?? '' })
  const { data: factor } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' })
  const factorId = factor?.id ?? ''
  await client.auth.mfa.challengeAndVerify({ factorId, code: totpCode(factor?.totp.secret ?? '') })
  const { error } = await client.auth.mfa.unenroll({ factorId })

  expect(error).toBeNull()
  expect((await eventsOf(email)).map(({ action }) => action)).toEqual([
    'factor_deleted',
    'factor_updated',
    'user_updated_password',
    'login',
    'user_signedup',
  ])
})

it('records the end of another session of one’s own as a sign-out, and a second call for it as nothing', async () => {
  const { client, email } = await shop.signUp()
  await shop.client().auth.signInWithPassword({ email, password: PASSWORD })
  const { data } = await client.auth.getSession()
  const headers = { apikey: shop.keys.publishable, authorization: `Bearer ${data.session?.access_token}` }
  const sessions: { id: string; current: boolean }[] = await (
    await shop.fetch('/auth/v1/sessions', { headers })
  ).json()
  const path = `/auth/v1/sessions/${sessions.find(({ current }) => !current)?.id}`

  const ended = await shop.fetch(path, { method: 'DELETE', headers })
  const again = await shop.fetch(path, { method: 'DELETE', headers })

  expect([ended.status, again.status]).toEqual([204, 404])
  expect((await eventsOf(email)).map(({ action }) => action)).toEqual([
    'logout',
    'login',
    'login',
    'user_signedup',
  ])
})

interface ShownEvent {
  email: string | null
  action: string
  detail: string | null
  address: string | null
}

/** What an admin sees of an account, the newest first. */
async function eventsOf(account: string): Promise<ShownEvent[]> {
  const admin = await shop.admin()
  const { data } = await admin.client.functions.invoke('show-system', { body: {} })
  return data.accountEvents.filter(({ email }: ShownEvent) => email === account)
}

function wrongCode(secret: string): string {
  return String((Number(totpCode(secret)) + 1) % 1_000_000).padStart(6, '0')
}

async function countEntries(): Promise<number> {
  const { rows } = await shop.database.owner.query(
    `select count(*)::int as entries from auth.audit_log_entries where payload ->> 'action' = 'login_failed'`,
  )
  return rows[0]?.entries
}
