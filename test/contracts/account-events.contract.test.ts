import { afterAll, beforeAll, expect, it } from 'vitest'
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

async function countEntries(): Promise<number> {
  const { rows } = await shop.database.owner.query(
    `select count(*)::int as entries from auth.audit_log_entries where payload ->> 'action' = 'login_failed'`,
  )
  return rows[0]?.entries
}
