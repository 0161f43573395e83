import { fileURLToPath } from 'node:url'
import { type Application, readRelease, type Run, seed, type Source } from '@saltfreak/backend'
import { shop } from '#shop'

const SEEDS = folder('../supabase/seed')

/** The shop's own tables and code. */
export function shopSource(ownerRole: string | null): Source {
  return {
    name: 'shop',
    migrations: folder('../supabase/migrations'),
    schema: folder('../supabase/schema'),
    records: 'schema_migrations',
    schemas: ['public', 'private', 'simulator'],
    roleOf: () => ownerRole,
    managedByServer: [],
    isDynamicTrigger: () => false,
  }
}

/** The shop's tables and code with the running version, for the backend that upgrades the database. */
export async function shopApplication(): Promise<Application> {
  const release = await readRelease(new URL('../package.json', import.meta.url))
  return { sourceFor: shopSource, release, extensions: ['pg_trgm', 'fuzzystrmatch'], finish: seedShop }
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
