import { describe, expect } from 'vitest'
import { inTransaction } from '@saltfreak/backend'
import { openDatabase } from '@saltfreak/backend/testing'
import {
  aCustomer,
  aPacker,
  anAdmin,
  aVerifiedCustomer,
  orderOf,
  markOrderPaid,
  popper,
  type UserClaims,
  statusOf,
  verifyMailbox,
} from './shopping.ts'
import { type TestTransaction, sqlOn, test } from './sql.ts'

/** The claims of a session with the time of the last authentication. */
function signedIn(person: UserClaims, { provenAgo = 0 } = {}) {
  return {
    ...person,
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: Math.floor(Date.now() / 1000) - provenAgo }],
  }
}

async function rolesOf(sql: TestTransaction, { sub }: UserClaims): Promise<string[]> {
  await sql.asShop()
  const rows = await sql.rows<{ role: string }>(
    `select role from public.user_roles where user_id = $1 and role <> 'customer'`,
    [sub],
  )
  return rows.map(({ role }) => role)
}

/** Removes the other admins of the shop. */
async function theOnlyAdmin(sql: TestTransaction): Promise<UserClaims> {
  const admin = await anAdmin(sql)
  await verifyMailbox(sql, admin)
  await sql.rows(`delete from public.user_roles where role = 'admin' and user_id <> $1`, [admin.sub])
  return admin
}

const GRANT = 'select public.grant_role($1, $2)'
const REVOKE = 'select public.revoke_role($1)'

describe('role', () => {
  test('grants a staff role by e-mail address and revokes the person’s other role', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const person = await aVerifiedCustomer(sql)

    await sql.as(signedIn(admin))
    await sql.rows(GRANT, [` ${person.email.toUpperCase()} `, 'packer'])
    expect(await rolesOf(sql, person)).toEqual(['packer'])

    await sql.as(signedIn(admin))
    await sql.rows(GRANT, [person.email, 'admin'])
    await sql.rows(GRANT, [person.email, 'admin'])
    expect(await rolesOf(sql, person)).toEqual(['admin'])

    await sql.as(signedIn(admin))
    await sql.rows(REVOKE, [person.sub])
    await sql.rows(REVOKE, [person.sub])
    expect(await rolesOf(sql, person)).toEqual([])
    expect(await sql.value('select count(*)::int from auth.users where id = $1', [person.sub])).toBe(1)
  })

  test('refuses to grant a role to an account with an unverified mailbox', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const unverified = await aCustomer(sql)
    await sql.rows('update auth.users set email_confirmed_at = now() where id = $1', [unverified.sub])

    await sql.as(signedIn(admin))
    expect(await sql.refusal(GRANT, [unverified.email, 'admin'])).toMatchObject({
      code: 'PT409',
      reason: 'mailbox_not_verified',
    })
    expect(await rolesOf(sql, unverified)).toEqual([])
  })

  test('refuses to grant a role to an unknown e-mail address', async ({ sql }) => {
    const admin = await anAdmin(sql)

    await sql.as(signedIn(admin))
    for (const email of ['nobody@example.com', '', null]) {
      expect(await sql.refusal(GRANT, [email, 'admin'])).toMatchObject({
        code: 'PT404',
        reason: 'account_not_found',
      })
    }
  })

  test('grants only the roles admin and packer', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const person = await aVerifiedCustomer(sql)

    await sql.as(signedIn(admin))
    for (const role of ['customer', 'owner', '', null]) {
      expect(await sql.refusal(GRANT, [person.email, role])).toMatchObject({ code: '22023' })
    }
  })

  // covers A37
  test('requires a recent reauthentication to grant or revoke a role', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const person = await aVerifiedCustomer(sql)

    await sql.as(signedIn(admin, { provenAgo: 601 }))
    for (const [call, values] of [
      [GRANT, [person.email, 'packer']],
      [REVOKE, [person.sub]],
    ] as const) {
      expect(await sql.refusal(call, [...values])).toMatchObject({
        code: 'PT403',
        reason: 'not_proven_recently',
      })
    }
    await sql.as(signedIn(admin, { provenAgo: 500 }))
    await sql.rows(GRANT, [person.email, 'packer'])
    expect(await rolesOf(sql, person)).toEqual(['packer'])
  })

  test('records granted and revoked roles in the audit log', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const person = await aVerifiedCustomer(sql)

    await sql.as(signedIn(admin))
    await sql.rows(GRANT, [person.email, 'packer'])
    await sql.rows(REVOKE, [person.sub])

    const entries = await sql.rows(
      `select verb, actor_id, coalesce(after, before) ->> 'role' as role from public.history
       where table_name = 'user_roles' and coalesce(after, before) ->> 'user_id' = $1 order by id`,
      [person.sub],
    )
    expect(entries).toEqual([
      { verb: 'insert', actor_id: admin.sub, role: 'packer' },
      { verb: 'delete', actor_id: admin.sub, role: 'packer' },
    ])
  })
})

describe('last admin', () => {
  // covers A37
  test('refuses to remove the last admin’s role or account', async ({ sql }) => {
    const admin = await theOnlyAdmin(sql)
    await sql.rows('update auth.users set email_confirmed_at = now() where id = $1', [admin.sub])
    const roles = `public.user_roles where user_id = '${admin.sub}' and role = 'admin'`
    const attempts: [as: Parameters<TestTransaction['as']>[0] | 'shop', statement: string][] = [
      [signedIn(admin), `select public.revoke_role('${admin.sub}')`],
      [signedIn(admin), `select public.grant_role('${admin.email}', 'packer')`],
      ['service_role', `delete from ${roles}`],
      ['service_role', `update public.user_roles set role = 'packer' where user_id = '${admin.sub}'`],
      ['shop', `delete from ${roles}`],
      ['shop', `delete from auth.users where id = '${admin.sub}'`],
    ]

    for (const [as, statement] of attempts) {
      if (as === 'shop') await sql.asShop()
      else await sql.as(as)
      expect(await sql.refusal(statement), statement).toMatchObject({ code: 'PT409', reason: 'last_admin' })
    }
    expect(await rolesOf(sql, admin)).toEqual(['admin'])
  })

  test('does not count a deleted account as an admin', async ({ sql }) => {
    const admin = await theOnlyAdmin(sql)
    const ended = await anAdmin(sql)
    await sql.rows('update auth.users set deleted_at = now() where id = $1', [ended.sub])

    await sql.as(signedIn(admin))
    expect(await sql.refusal(REVOKE, [admin.sub])).toMatchObject({ reason: 'last_admin' })
  })

  test('revokes any packer role, and an admin role while another admin exists', async ({ sql }) => {
    const admin = await theOnlyAdmin(sql)
    const packer = await aPacker(sql)

    await sql.as(signedIn(admin))
    await sql.rows(REVOKE, [packer.sub])
    expect(await rolesOf(sql, packer)).toEqual([])

    const other = await anAdmin(sql)
    await sql.as(signedIn(other))
    await sql.rows(REVOKE, [admin.sub])
    expect(await rolesOf(sql, admin)).toEqual([])
  })

  test('keeps one admin when two admins revoke each other simultaneously', async ({ shop }) => {
    const connections = openDatabase(shop.url, { ownerConnections: 2 })
    try {
      const pair = await inTransaction(connections.owner, async (client) => {
        const sql = sqlOn(client)
        return [await theOnlyAdmin(sql), await anAdmin(sql)] as const
      })
      const revocations = pair.map((admin, at) =>
        inTransaction(connections.owner, async (client) => {
          const sql = sqlOn(client)
          await sql.as(signedIn(admin))
          await sql.rows(REVOKE, [pair[1 - at]?.sub])
        }),
      )

      const outcomes = await Promise.allSettled(revocations)

      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    } finally {
      await connections.close()
    }
  })
})

describe('staff list', () => {
  test('shows neither the list of staff accounts nor their devices to packers', async ({ sql }) => {
    const [admin, packer] = [await theOnlyAdmin(sql), await aPacker(sql)]
    const session = await sql.value(
      `insert into auth.sessions (id, user_id, created_at, updated_at, ip) values (gen_random_uuid(), $1, now(), now(), '192.0.2.7') returning id`,
      [admin.sub],
    )
    const seenBy = async (who: UserClaims) => {
      await sql.as(who)
      return sql.row(
        `select cardinality(private.staff_ids()) > 0 as staff, private.session_device($1) ->> 'address' as address`,
        [session],
      )
    }

    expect(await seenBy(packer)).toEqual({ staff: false, address: null })
    await sql.asShop()
    expect(await seenBy(admin)).toEqual({ staff: true, address: '192.0.2.7' })
  })

  test('lists all staff with role and second factor for admins', async ({ sql }) => {
    const admin = await theOnlyAdmin(sql)
    const packer = await aPacker(sql)
    await sql.rows(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', 'x', now(), now())`,
      [packer.sub],
    )

    await sql.as(admin)
    const staff = await sql.rows('select id, email, role, has_second_factor from public.list_staff()')

    expect(staff.filter(({ id }) => id === admin.sub || id === packer.sub)).toEqual([
      { id: admin.sub, email: admin.email, role: 'admin', has_second_factor: false },
      { id: packer.sub, email: packer.email, role: 'packer', has_second_factor: true },
    ])
  })
})

test('does not let a packer cancel the packer’s own paid order', async ({ sql }) => {
  const packer = await aPacker(sql)
  const order = await orderOf(sql, packer, { lines: [popper], total: 210 })
  await markOrderPaid(sql, order)
  await sql.as(packer)

  expect(
    await sql.refusal(`update public.orders set status = 'cancelled' where id = $1`, [order.id]),
  ).toMatchObject({ code: '42501' })

  await sql.asShop()
  expect(await statusOf(sql, order)).toBe('new')
})
