import type { ShopParts } from '../shop-parts.ts'
import { backupsCheck } from './checks/backups.ts'
import { certificateChecks } from './checks/certificate.ts'
import { connectionsCheck, DATABASE, databaseCheck } from './checks/database.ts'
import { diskCheck } from './checks/disk.ts'
import { jobsCheck } from './checks/jobs.ts'
import { mailCheck } from './checks/mail.ts'
import { noticesCheck, paymentsCheck } from './checks/payments.ts'
import { restoreTestCheck } from './checks/restore-test.ts'
import { scheduleCheck } from './checks/schedule.ts'
import type { HealthCheck } from './finding.ts'

export type CheckedParts = Pick<ShopParts, 'settings' | 'database' | 'stopping'>

/** Every check of the shop's health, for `/readyz`, the System page, `/metrics` and the alerts. */
export function healthChecks({ settings, database }: CheckedParts): HealthCheck[] {
  const { owner, api } = database
  return [
    databaseCheck(owner),
    connectionsCheck(api),
    jobsCheck(owner),
    scheduleCheck(owner),
    mailCheck(owner),
    paymentsCheck(owner),
    noticesCheck(owner),
    diskCheck(settings.dataDir),
    backupsCheck(settings),
    ...certificateChecks(settings),
    restoreTestCheck(owner, settings),
  ]
}

export { DATABASE }
