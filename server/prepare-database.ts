import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import {
  backendSource,
  inspectDatabase,
  migrateJobs,
  openDatabase,
  readRelease,
  type Plan,
  prepareRoles,
  type Run,
  seed,
  type Source,
  upgradeDatabase,
} from '@saltfreak/backend'
import { shop } from '#shop'

const SEEDS = folder('../supabase/seed')

export interface DatabaseServer {
  /** Connects as the role that owns the tables. */
  url: string
  /** Connects as a superuser; the same as `url` on a server that the shop does not run itself. */
  superuserUrl: string
}

/** The shop's own tables and code, owned by the role of `url`. */
export function shopSource(server: DatabaseServer): Source {
  return {
    name: 'shop',
    migrations: folder('../supabase/migrations'),
    schema: folder('../supabase/schema'),
    records: 'schema_migrations',
    schemas: ['public', 'private', 'simulator'],
    roleOf: () => ownerRole(server),
    managedByServer: [],
    isDynamicTrigger: () => false,
  }
}

/** Returns what a start would do to the database. Throws a DatabaseProblem when it would refuse. */
export async function inspectShop(server: DatabaseServer): Promise<Plan['kind']> {
  return inspectDatabase(server.superuserUrl, await upgradeOf(server))
}

/**
 * Upgrades a database to this version's tables and code. Roles and the job queue's tables come first, each in a separate
 * transaction: roles belong to the whole server, and the shop's triggers write jobs. Leaves a database alone that a newer,
 * compatible version has upgraded.
 */
export async function prepareShop(server: DatabaseServer): Promise<void> {
  const plan = await inspectShop(server)
  if (plan !== 'newer') await prepareRoles(server.superuserUrl)
  if (server.url !== server.superuserUrl) await setOwnerPassword(server)
  if (plan === 'newer') return
  await prepareJobs(server.url)
  await upgradeDatabase(server.superuserUrl, {
    ...(await upgradeOf(server)),
    ownerRole: ownerRole(server),
    finish: seedShop,
  })
}

export function shopRelease() {
  return readRelease(new URL('../package.json', import.meta.url))
}

async function upgradeOf(server: DatabaseServer) {
  return { sources: [backendSource, shopSource(server)], release: await shopRelease() }
}

/** Returns the role that runs the shop's SQL files on the superuser's connection; null when both URLs are the same. */
function ownerRole({ url, superuserUrl }: DatabaseServer): string | null {
  return url === superuserUrl ? null : decodeURIComponent(new URL(url).username)
}

async function prepareJobs(url: string): Promise<void> {
  const database = openDatabase(url, { ownerConnections: 1 })
  try {
    await migrateJobs(database.owner)
  } finally {
    await database.close()
  }
}

/** The owner role of a new embedded server has no password: set the one from the data folder. */
async function setOwnerPassword({ url, superuserUrl }: DatabaseServer): Promise<void> {
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const password = client.escapeLiteral(decodeURIComponent(new URL(url).password))
    await client.query(`alter role postgres with password ${password}`)
  } finally {
    await client.end()
  }
}

/** Adds the seed rows to a new shop, and the settings of `shop.config.ts` that SQL rules need. */
async function seedShop(run: Run): Promise<void> {
  await seed(run, SEEDS)
  await run.client.query('select private.set_shop_rules($1)', [shopRules()])
}

function shopRules() {
  return {
    shipping_rate: shop.shipping.flatRateRand,
    free_shipping_from: shop.shipping.freeFromRand,
    reservation_minutes: shop.orders.reservationMinutes,
    reservation_limit_minutes: shop.orders.reservationLimitMinutes,
    unpaid_expire_hours: shop.orders.unpaidExpireHours,
    remind_after_minutes: shop.orders.remindAfterMinutes,
  }
}

function folder(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
