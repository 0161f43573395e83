import {
  claimDataFolder,
  claimFiles,
  countMissingFiles,
  markRunning,
  openStore,
  requireFreePort,
  type Store,
} from '@saltfreak/backend'
import { setTimeout as pause } from 'node:timers/promises'
import { createFirstAdmin } from '../admins.ts'
import { describeFirstAdmin, saveFirstAdmin } from '../first-admin.ts'
import { syncPublicAddress } from '../public-address.ts'
import { syncRefundMethod } from '../refund-method.ts'
import { seedPictures } from '../seed-pictures.ts'
import { reportReady } from '../service-manager.ts'
import { keepShopBackups } from '../shop-backups.ts'
import { createMaintenance } from './maintenance.ts'
import type { Close, ShopStart } from './shop-start.ts'
import { shop } from '#shop'

/** How long a failed start waits for its database connections. */
const ABORT_TIMEOUT_MS = 5000

/**
 * Opens and upgrades the database, once for all processes that this one starts, calls `open`, and keeps the backups until the
 * shop is closed.
 */
export async function withPreparedStore(
  start: ShopStart,
  open: (store: Store) => Promise<Close>,
): Promise<Close> {
  const { settings, files, application, environment, log } = start
  await claimDataFolder(settings)
  // The database takes seconds, and the port opens when the shop can answer: find out now whether it is in use.
  await requireFreePort(settings)
  const maintenance = createMaintenance(settings)
  const place = { ...settings, archivesLog: settings.backup !== null, onMoving: maintenance.begin }
  const store = await openStore(place, application, log).finally(maintenance.end)
  try {
    const { owner } = store.database
    await claimFiles(files, owner)
    await seedPictures({ owner, files }, start.projectFolder)
    await syncRefundMethod(owner, settings)
    await syncPublicAddress(owner, settings)
    const closeShop = await open(store)
    void warnOfMissingFiles(start, store)
    const endRun = await markRunning(settings.dataDir, `shop-${settings.port}`)
    const close = async () => {
      // First: a stop that takes too long is no crash.
      await endRun()
      await closeShop()
    }
    // The embedded PostgreSQL belongs to this process, whatever its role, and so do the backups.
    if (store.isShared || (settings.databaseUrl && settings.role === 'web')) return close
    const backups = keepShopBackups({
      settings,
      files,
      environment: () => environment,
      version: application.release.version,
      log,
    })
    return async () => {
      await backups.stop()
      await close()
      await backups.archiveRest()
    }
  } catch (error) {
    await Promise.race([store.stop(), pause(ABORT_TIMEOUT_MS)])
    throw error
  }
}

/** Pictures are missing after a change of `S3_BUCKET` without `npm run move`. */
async function warnOfMissingFiles(
  { settings, files, log }: ShopStart,
  { database, closing }: Store,
): Promise<void> {
  try {
    const count = await countMissingFiles({ owner: database.owner, files })
    const { s3, dataDir } = settings
    if (count === 0) return
    log.warn(
      { files: count },
      s3
        ? `files of the shop are missing in the bucket ${s3.bucket}: if they are in ${dataDir}, npm run move -- files s3 copies them`
        : `files of the shop are missing in ${dataDir}: if they are in a bucket, npm run move -- files disk copies them`,
    )
  } catch (error) {
    if (!closing.aborted) log.warn({ err: error }, 'the shop’s files could not be counted')
  }
}

/** Creates the first admin of a new shop. */
export async function welcomeFirstAdmin({ settings }: ShopStart, { database }: Store): Promise<void> {
  await createFirstAdmin(database.owner, settings.adminEmail, (admin) =>
    saveFirstAdmin(settings.dataDir, admin),
  )
}

/** Says that the shop is open: to the person who started it, and to the service manager. */
export async function announce({ settings, isCopy }: ShopStart, { database }: Store): Promise<void> {
  const signIn = (await describeFirstAdmin(database.owner, settings.dataDir)) ?? ''
  const copy = isCopy ? 'This is a restored copy: it sends no mail and takes no payments.\n' : ''
  const place =
    settings.role === 'worker'
      ? `${shop.name} runs its jobs here; /readyz is open at http://${settings.host}:${settings.port}`
      : `${shop.name} is open at ${settings.publicUrl}`
  console.log(`\n${place}\n\n${copy}${signIn}`.trimEnd())
  reportReady()
}
