import { readdirSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '@supabase/supabase-js'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  backendSource,
  catalogueDifferences,
  countFor,
  DatabaseProblem,
  findRunningPostgres,
  isLongRun,
  NEWEST_MAJOR,
  onServer,
  postgresUrl,
  snapshotCatalogue,
  sqlFolders,
  type SqlFolders,
  startPostgres,
  upgradeDatabase,
} from '@saltfreak/backend/testing'
import { freezeNewFiles } from '@saltfreak/backend/tools'
import { shopApplication, shopSource } from '#server/prepare-database.ts'
import { shopDatabase } from '#test/database.ts'
import { unpackShop } from '#test/lived-in-shop/archive.ts'
import { unwrap, rpc } from '#test/lived-in-shop/calls.ts'
import { type Figures, readFigures } from '#test/lived-in-shop/figures.ts'
import { contentsOf } from '#test/lived-in-shop/contents.ts'
import { fingerprint } from '#test/lived-in-shop/fingerprint.ts'
import { type LivedInShop, openLivedInShop } from '#test/lived-in-shop/shop.ts'
import { paymentOf } from '#test/lived-in-shop/money.ts'
import { PASSWORD, type NamedPerson } from '#test/lived-in-shop/people.ts'
import { paidOrder, type PurchasedOrder } from '#test/lived-in-shop/purchases.ts'

const RELEASES = join(import.meta.dirname, '..', 'releases')
const releases = readdirSync(RELEASES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
/** The oldest, `before-1.0`, sorts last and takes every migration. */
const tested = releases.slice(-countFor('RELEASES', { gate: 1, long: releases.length }))

describe.each(tested)('upgrade from release %s', (release) => {
  let folder: string
  /** Of PostgreSQL, in the release. */
  let major: number
  let shop: LivedInShop
  /** Before the database moves to the newest PostgreSQL. */
  let former: Awaited<ReturnType<typeof stateOf>>
  let session: Session
  let figures: Figures
  beforeAll(async () => {
    folder = await unpacked(release)
    major = Number(await readFile(join(folder, 'postgres/PG_VERSION'), 'utf8'))
    const upgraded = await openLivedInShop(folder)
    figures = await readFigures(upgraded)
    session = await signIn(upgraded, 'customer-21@example.com')
    former = await stateOf(upgraded)
    await upgraded.close()
    // The start after an upgrade of the tables moves the database to the newest PostgreSQL.
    shop = await openLivedInShop(folder)
  })
  afterAll(async () => {
    await shop.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('keeps all orders, payments, products, consents, mails and sessions in an upgrade', async () => {
    const state: Figures = JSON.parse(await readFile(join(RELEASES, release, 'state.json'), 'utf8'))

    expect(figures).toEqual(state)
  })

  it('moves every order, key, session, job and setting to the newest PostgreSQL', async () => {
    const moved = await stateOf(shop)

    expect([former.major, moved.major]).toEqual([major, NEWEST_MAJOR])
    expect(moved.keys).toEqual(former.keys)
    expect(moved.contents).toEqual(former.contents)
    expect(Number(/^\d+/.exec(moved.contents.orders ?? ''))).toBeGreaterThanOrEqual(50)
    expect((await shop.client().auth.getUser(session.access_token)).data.user?.id).toBe(session.user.id)
    const { data } = await shop.client().auth.refreshSession(session)
    expect(data.session?.user.id).toBe(session.user.id)
  })

  it('upgrades an old database to exactly the schema of a new database', async () => {
    const fresh = await shopDatabase()
    try {
      const [made, upgraded] = await Promise.all([
        snapshotCatalogue(fresh.superuserUrl),
        snapshotCatalogue(await superuserUrlOf(folder)),
      ])
      expect(catalogueDifferences(made, upgraded)).toEqual([])
    } finally {
      await fresh.close()
    }
  })

  it('continues jobs after an upgrade that the older release left unfinished', async () => {
    const undecided = `select order_id from public.payment_notices n join public.payment_attempts a using (m_payment_id)
      join graphile_worker.jobs j on j.key = 'check_notice:' || n.id and j.attempts = 0`
    const [left] = await shop.sql<{ order_id: string }>(undecided)

    await shop.runJobs()

    expect(await orderOf(shop, left?.order_id)).toMatchObject({ status: 'new' })
    expect(await shop.sql(`select from public.mails where status = 'queued' and last_error is null`)).toEqual(
      [],
    )
  })

  it('lets an existing customer sign in, order and pay after an upgrade, and sends the mails', async () => {
    const order = await paidOrder(shop, await person(shop, 'customer-20@example.com'), { number: 2 })

    expect(await orderOf(shop, order.id)).toMatchObject({ status: 'new' })
    const subjects = (await shop.mailServer.received()).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject?.includes(String(order.order_number)))).toHaveLength(2)
  })

  it('lets an existing admin ship, refund, reply, undo and read sales after an upgrade', async () => {
    const { client } = await person(shop, 'admin@example.com')
    const [packed] = await shop.sql<PurchasedOrder>(
      `select * from public.orders where status = 'processing' order by order_number limit 1`,
    )
    const [old] = await shop.sql<PurchasedOrder>(
      `select * from public.orders where status = 'delivered' and shipping_method <> 'hand-over' order by paid_at limit 1`,
    )
    const [message] = await shop.sql<{ id: string }>(
      `select id from public.messages where state = 'open' limit 1`,
    )
    const [change] = await shop.sql<{ id: string }>(
      `select id from public.history where can_undo and undone_by is null and table_name = 'shop_settings' order by id desc limit 1`,
    )

    await unwrap(
      'ship',
      client.from('orders').update({ status: 'shipped', tracking_number: 'KC-9' }).eq('id', packed?.id),
    )
    const payment_id = await paymentOf(shop, { id: old?.id ?? '' })
    await rpc(client, 'record_refund', { payment_id, amount: 10, reason: 'One came chipped' })
    await rpc(client, 'answer_message', {
      submission_id: message?.id,
      subject: 'Re: Delivery',
      message: 'On Monday.',
    })
    await rpc(client, 'undo_change', { change_id: change?.id })
    await shop.runJobs()

    expect(await orderOf(shop, packed?.id)).toMatchObject({ status: 'shipped', tracking_number: 'KC-9' })
    expect(
      await shop.sql(`select from public.refunds where payment_id = $1 and amount = 10 and state = 'done'`, [
        payment_id,
      ]),
    ).toHaveLength(1)
    expect(await shop.sql('select shipping_rate from public.shop_settings')).toEqual([
      { shipping_rate: '110.00' },
    ])
    const answered = (await shop.mailServer.received()).filter(({ subject }) => subject === 'Re: Delivery')
    expect(answered).toHaveLength(1)
    const to_day = new Date().toISOString().slice(0, 10)
    const from_day = `${Number(to_day.slice(0, 4)) - 9}-01-01`
    const period = { from_day, to_day, zone: 'Africa/Johannesburg' }
    const sales = await rpc<{ orders: number }[]>(client, 'sales_by_product', period)
    expect(sales.length).toBeGreaterThan(2)
  })

  it.runIf(isLongRun)('upgrades the database at the first start only', async () => {
    const before = await fingerprintOf(folder)
    await shop.close()

    shop = await openLivedInShop(folder)

    expect(await fingerprintOf(folder)).toEqual(before)
  })
})

it.runIf(isLongRun)(
  'refuses to upgrade a database that is too old, with a one-line error and no change',
  async () => {
    const folder = await unpacked('before-1.0')
    try {
      const newest = 'select max(version) from supabase_migrations.schema_migrations'
      const before = await whileRunning(folder, async (url) => {
        const client = new Client({ connectionString: url })
        await client.connect()
        await client.query(`delete from supabase_migrations.schema_migrations where version = (${newest})`)
        await client.end()
        return fingerprint(url)
      })

      const refusal = await openLivedInShop(folder).then(
        (opened) => opened.close(),
        (error: unknown) => error,
      )

      expect(refusal).toBeInstanceOf(DatabaseProblem)
      expect(String(refusal)).toContain('start the last version before 1.0 on it first')
      expect(String(refusal)).not.toContain('\n')
      expect(await whileRunning(folder, fingerprint)).toEqual(before)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

it('adds up after an upgrade although a lure that a paid order waits for is no longer made to order', async () => {
  const folder = await unpacked('2.0.0')
  try {
    await whileRunning(folder, async (url) => {
      const client = new Client({ connectionString: url })
      await client.connect()
      // As if one unit had not been in stock when the order was paid.
      await client.query('set session_replication_role = replica')
      const { rowCount } = await client.query(
        `update public.order_items set quantity = quantity + 1 where id = (
           select i.id from public.order_items i
           join public.orders o on o.id = i.order_id
           join public.stock_movements m on m.order_id = o.id and m.variant_id = i.variant_id
           join public.products p on p.id = i.product_id
           where o.status = 'processing' and not p.made_to_order limit 1)`,
      )
      await client.end()
      expect(rowCount).toBe(1)
    })

    const shop = await openLivedInShop(folder)
    try {
      expect(await shop.sql('select rule, rows::int from private.broken_sums()')).toEqual([])
    } finally {
      await shop.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe('older code with a newer database', () => {
  let folder: string
  let newer: SqlFolders
  beforeEach(async () => {
    folder = await unpacked('1.0.0')
    newer = await sqlFolders()
  })
  afterEach(async () => {
    await newer.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('completes a purchase on a newer database that is compatible with the older code, and refuses an incompatible one with a one-line error', async () => {
    const { release } = await shopApplication()
    await upgradeToNewer(release.version)

    const shop = await openLivedInShop(folder)
    try {
      const order = await paidOrder(shop, await person(shop, 'customer-20@example.com'), { number: 2 })
      await shop.runJobs()

      expect(await orderOf(shop, order.id)).toMatchObject({ status: 'new', gift_wrap: false })
      const subjects = (await shop.mailServer.received()).map(({ subject }) => subject)
      expect(subjects.filter((subject) => subject?.includes(String(order.order_number)))).toHaveLength(2)
    } finally {
      await shop.close()
    }

    const needsNewerCode =
      "update supabase_migrations.releases set compatible_from = version where version = '99.0.0'"
    await whileRunning(folder, (url) => onServer(url, (server) => server.query(needsNewerCode)))
    const refusal = await openLivedInShop(folder).then(
      (opened) => opened.close(),
      (error: unknown) => error,
    )

    expect(refusal).toBeInstanceOf(DatabaseProblem)
    expect(String(refusal)).toContain('99.0.0')
    expect(String(refusal)).not.toContain('\n')
  })

  /** Upgrades the folder to a version 99.0.0 that adds a column, as the process beside this one would. */
  async function upgradeToNewer(compatibleFrom: string): Promise<void> {
    await newer.write(
      'migrations/9999_gift_wrap.sql',
      'alter table public.orders add column gift_wrap boolean not null default false;',
    )
    await whileRunning(folder, async (url) => {
      const shop = shopSource('postgres')
      await cp(shop.migrations, newer.source.migrations, { recursive: true })
      await freezeNewFiles(newer.source.migrations)
      await upgradeDatabase(url, {
        sources: [backendSource, { ...shop, migrations: newer.source.migrations }],
        release: { version: '99.0.0', compatibleFrom },
      })
    })
  }
})

async function orderOf(shop: LivedInShop, id: string | undefined) {
  const [order] = await shop.sql<PurchasedOrder>('select * from public.orders where id = $1', [id])
  return order
}

async function stateOf({ keys, sql, settings }: LivedInShop) {
  const [server] = await sql<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  const contents = await contentsOf(await superuserUrlOf(settings.dataDir))
  return { major: server?.major, keys, contents }
}

async function signIn(shop: LivedInShop, email: string): Promise<Session> {
  const { session } = await unwrap<{ session: Session }>(
    'sign in',
    shop.client('105.9.0.2').auth.signInWithPassword({ email, password: PASSWORD }),
  )
  return session
}

async function person(shop: LivedInShop, email: string): Promise<NamedPerson> {
  const client = shop.client('105.9.0.1')
  const { user } = await unwrap<{ user: { id: string } }>(
    'sign in',
    client.auth.signInWithPassword({ email, password: PASSWORD }),
  )
  return { client, userId: user.id, email, name: 'Thandi Mokoena' }
}

async function unpacked(release: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-release-'))
  await unpackShop(join(RELEASES, release, 'shop.tar.zst'), folder)
  return folder
}

async function fingerprintOf(folder: string) {
  return fingerprint(await superuserUrlOf(folder))
}

async function superuserUrlOf(folder: string): Promise<string> {
  const running = await findRunningPostgres(folder)
  if (!running) throw new Error(`no PostgreSQL runs in ${folder}`)
  return postgresUrl(running, 'supabase_admin')
}

async function whileRunning<T>(folder: string, work: (url: string) => Promise<T>): Promise<T> {
  const postgres = await startPostgres(folder)
  try {
    return await work(postgresUrl(postgres, 'supabase_admin'))
  } finally {
    await postgres.stop()
  }
}
