import { fileURLToPath } from 'node:url'
import { migrate, seed } from '#backend/database/migrate.ts'
import { openDatabase } from '#backend/database/pool.ts'
import { migrateJobs } from '#backend/jobs/run-jobs.ts'
import { shop } from '#shop'

const MIGRATIONS = folder('../supabase/migrations')
const SEEDS = folder('../supabase/seed')

/** Brings a prepared backend to the shop's newest tables, with the job queue that triggers write to. */
export async function prepareShop(url: string): Promise<void> {
  const database = openDatabase(url, { ownerConnections: 1 })
  try {
    await migrateJobs(database.owner)
    await migrate(url, MIGRATIONS)
    await seed(url, SEEDS)
    await database.owner.query('select private.set_shop_rules($1)', [shopRules()])
  } finally {
    await database.close()
  }
}

/** The figures of `shop.config.ts` that rules in SQL need. */
function shopRules() {
  return {
    shipping_rate: shop.shipping.flatRateRand,
    free_shipping_from: shop.shipping.freeFromRand,
    hold_minutes: shop.orders.holdMinutes,
    hold_limit_minutes: shop.orders.holdLimitMinutes,
    unpaid_expire_hours: shop.orders.unpaidExpireHours,
    remind_after_minutes: shop.orders.remindAfterMinutes,
  }
}

function folder(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
