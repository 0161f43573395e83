import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { inject, expect, it } from 'vitest'
import {
  catalogueDifferences,
  copyDatabase,
  type CopyProgress,
  copyTemplate,
  databaseAt,
  inspectApplication,
  onServer,
  openDatabase,
  snapshotCatalogue,
} from '@saltfreak/backend/testing'
import { shopApplication } from '#server/prepare-database.ts'
import { aBuyer, placeOrder } from '#test/buyer.ts'

const serverUrl = inject('superuserUrl')
const application = await shopApplication()

interface Place {
  url: string
  superuserUrl: string
}

/** Creates a database that the test's end drops, without an open connection. */
async function place(template: 'shop' | 'template1'): Promise<Place & { drop(): Promise<void> }> {
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  await copyTemplate(serverUrl, template, name)
  return {
    url: databaseAt(serverUrl, name, 'postgres'),
    superuserUrl: databaseAt(serverUrl, name),
    drop: () => onServer(serverUrl, (server) => server.query(`drop database ${name} with (force)`)),
  }
}

async function usedShop() {
  const shop = await place('shop')
  const database = openDatabase(shop.url)
  await placeOrder(database, await aBuyer(database))
  await placeOrder(database, await aBuyer(database))
  await database.close()
  return shop
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Every row of the tables that belong to the shop, and the sequences, as text. */
async function contents(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    url,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'private', 'auth', 'storage', 'simulator', 'realtime')
       or (schemaname = 'graphile_worker' and tablename like '\\_private%')`,
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, string_agg(to_jsonb(t)::text, E'\\n' order by to_jsonb(t)::text) as rows from ${name} t`,
  )
  const sequences = `select schemaname || '.' || sequencename, last_value::text from pg_sequences where schemaname in ('public', 'private')`
  const rows = await query<{ name: string; rows: string }>(url, [...parts, sequences].join(' union all '))
  return Object.fromEntries(rows.map(({ name, rows: text }) => [name, text]))
}

/** Ends the connections of the copy, as a kill would. */
async function cut(url: string): Promise<void> {
  await onServer(url, (server) =>
    server.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'database copy'`),
  )
}

it('copies every row, sequence and rule of a shop into an empty database, also after a cut and a late change', async () => {
  const [source, target] = [await usedShop(), await place('template1')]
  try {
    let cutting: Promise<void> | undefined
    const copied: string[] = []
    const interrupted = copyDatabase(source, target, {
      application,
      onProgress({ table }: CopyProgress) {
        copied.push(table)
        if (table === 'public.orders') cutting ??= cut(target.superuserUrl)
      },
    })
    // EPIPE: the cut came while rows were being written.
    await expect(interrupted).rejects.toThrow(/terminat|connection|EPIPE/i)
    await cutting
    await expect(inspectApplication(target, application)).rejects.toThrow(
      'the database holds an unfinished copy of another one',
    )
    expect(copied).toContain('auth.users')
    await query(source.superuserUrl, `update auth.users set email = 'late-' || email`)

    const { rows, tables } = await copyDatabase(source, target, { application })

    expect(tables).toBeGreaterThan(60)
    expect(rows).toBeGreaterThan(100)
    expect(await contents(target.superuserUrl)).toEqual(await contents(source.superuserUrl))
    const [before, after] = await Promise.all([
      snapshotCatalogue(source.superuserUrl),
      snapshotCatalogue(target.superuserUrl),
    ])
    expect(catalogueDifferences(before, after)).toEqual([])
    expect(await inspectApplication(target, application)).toBe('current')
    const database = openDatabase(target.url)
    const third = await placeOrder(database, await aBuyer(database)).finally(() => database.close())
    const [last] = await query<{ number: string }>(
      source.superuserUrl,
      'select max(order_number) as number from public.orders',
    )
    expect(third.order_number).toBe(Number(last?.number) + 1)
  } finally {
    await source.drop()
    await target.drop()
  }
})

it('refuses to copy from a shop that runs, or into a database that is not empty', async () => {
  const [source, target] = [await usedShop(), await place('shop')]
  try {
    const copy = () => copyDatabase(source, target, { application })
    await expect(copy()).rejects.toThrow('the target is not empty: choose an empty database')
    const running = openDatabase(source.url)
    await running.owner.query('select 1')
    await expect(copy().finally(() => running.close())).rejects.toThrow('a shop runs on the source')
  } finally {
    await source.drop()
    await target.drop()
  }
})
