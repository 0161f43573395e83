import type { ShopParts } from '../shop-parts.ts'
import { backupsCheck } from './checks/backups.ts'
import { certificateChecks } from './checks/certificate.ts'
import { crashesCheck } from './checks/crashes.ts'
import { connectionsCheck, DATABASE, databaseCheck } from './checks/database.ts'
import { diskCheck } from './checks/disk.ts'
import { fileStorageChecks } from './checks/file-storage.ts'
import { jobsCheck } from './checks/jobs.ts'
import { mailCheck } from './checks/mail.ts'
import { noticesCheck, paymentsCheck } from './checks/payments.ts'
import { restoreTestCheck } from './checks/restore-test.ts'
import { scheduleCheck } from './checks/schedule.ts'
import type { HealthCheck } from './finding.ts'

export interface CheckedParts extends Pick<ShopParts, 'settings' | 'database' | 'files' | 'stopping'> {
  /** Counts requests of other processes that wait for a database connection; by default those of this process. */
  waitingRequests?: () => number
}

/** Every check of the shop's health, for `/readyz`, the System page, `/metrics` and the alerts. */
export function healthChecks({ settings, database, files, waitingRequests }: CheckedParts): HealthCheck[] {
  const { owner, api } = database
  return [
    databaseCheck(owner),
    connectionsCheck(api, waitingRequests),
    jobsCheck(owner),
    scheduleCheck(owner),
    mailCheck(owner),
    paymentsCheck(owner),
    noticesCheck(owner),
    diskCheck(settings),
    ...fileStorageChecks(files),
    backupsCheck(settings),
    ...certificateChecks(settings),
    restoreTestCheck(owner, settings),
    crashesCheck(settings),
  ]
}

export { DATABASE }
