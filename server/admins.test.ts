import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBuyer } from '#test/buyer.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { createFirstAdmin, grantStaffRole, revokeStaffRole } from './admins.ts'

let shop: TestDatabase
beforeAll(async () => {
  shop = await shopDatabase()
})
afterAll(() => shop.close())

const owner = () => shop.database.owner

/** Returns the e-mail address of an account that has used a mailed link. */
async function aVerifiedAccount(): Promise<{ userId: string; email: string }> {
  const account = await aBuyer(shop.database)
  await owner().query(
    `insert into auth.mailbox_proofs (user_id, email, method) values ($1, $2, 'confirmation')`,
    [account.userId, account.email],
  )
  return account
}

async function rolesOf(userId: string): Promise<string[]> {
  const { rows } = await owner().query<{ role: string }>(
    'select role::text from public.user_roles where user_id = $1 order by role',
    [userId],
  )
  return rows.map(({ role }) => role)
}

it('creates no first admin over an account with the address, nor in a shop that has an admin', async () => {
  const { userId, email } = await aVerifiedAccount()

  expect(await createFirstAdmin(owner(), email.toUpperCase())).toBeNull()
  expect(await rolesOf(userId)).not.toContain('admin')

  await grantStaffRole(owner(), email, 'admin')
  expect(await createFirstAdmin(owner(), 'another@shop.example')).toBeNull()
})

it('gives an account one staff role, in place of the former one', async () => {
  const { userId, email } = await aVerifiedAccount()

  expect(await grantStaffRole(owner(), email, 'admin')).toBe('granted')
  expect(await rolesOf(userId)).toContain('admin')

  expect(await grantStaffRole(owner(), `  ${email.toUpperCase()} `, 'packer')).toBe('granted')
  expect(await rolesOf(userId)).toContain('packer')
  expect(await rolesOf(userId)).not.toContain('admin')
})

it('gives no role to an unknown, an unverified or a deleted account', async () => {
  const unverified = await aBuyer(shop.database)
  const deleted = await aVerifiedAccount()
  await owner().query('update auth.users set deleted_at = now() where id = $1', [deleted.userId])

  expect(await grantStaffRole(owner(), `${randomUUID()}@example.com`, 'admin')).toBe('unknown')
  expect(await grantStaffRole(owner(), unverified.email, 'admin')).toBe('unverified')
  expect(await grantStaffRole(owner(), deleted.email, 'admin')).toBe('unknown')
})

it('revokes the staff role of one account, however its address is typed', async () => {
  const [leaver, colleague] = [await aVerifiedAccount(), await aVerifiedAccount()]
  for (const { email } of [leaver, colleague]) await grantStaffRole(owner(), email, 'packer')

  expect(await revokeStaffRole(owner(), leaver.email.toUpperCase())).toBe(true)

  expect(await rolesOf(leaver.userId)).not.toContain('packer')
  expect(await rolesOf(colleague.userId)).toContain('packer')
  expect(await revokeStaffRole(owner(), leaver.email)).toBe(false)
})
