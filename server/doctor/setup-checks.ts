import type { SetupReport } from '#domain/function-results.ts'
import { openFiles } from '@saltfreak/backend'
import { backupsCheck } from '../health/checks/backups.ts'
import { certificateChecks } from '../health/checks/certificate.ts'
import { diskCheck } from '../health/checks/disk.ts'
import { fileStorageChecks } from '../health/checks/file-storage.ts'
import type { HealthCheck } from '../health/finding.ts'
import { reportFindings } from '../health/report-findings.ts'
import { cacheChecks } from '../health/run-checks.ts'
import type { Settings } from '../settings.ts'
import { addressCheck } from './address-check.ts'
import { clockChecks } from './clock-check.ts'
import { mailRecordsCheck, mailServerCheck } from './mail-checks.ts'
import { portCheck } from './port-check.ts'
import { proxyCheck } from './proxy-check.ts'
import { filesCheck, payfastCheck } from './settings-checks.ts'

/** Longer than the time limits of the single checks: each says itself what did not answer. */
export const SETUP_TIMEOUT_MS = 40_000

/** Repeated clicks share one sign-in at the mail server: providers block machines that sign in too often. */
const MAX_AGE_MS = 5000

/**
 * Every check of what the shop needs from its machine, for `npm run doctor` and the dashboard's checklist. With `testAddress`, sends a
 * test mail to it.
 */
export function setupChecks(settings: Settings, testAddress?: string): HealthCheck[] {
  return [
    filesCheck(settings),
    diskCheck(settings),
    ...fileStorageChecks({
      kind: settings.s3 ? 's3' : 'disk',
      check: async () => void (await openFiles(settings, { error: () => undefined })),
    }),
    portCheck(settings),
    addressCheck(settings),
    ...certificateChecks(settings),
    proxyCheck(settings),
    mailServerCheck(settings, testAddress),
    mailRecordsCheck(settings),
    payfastCheck(settings),
    ...clockChecks(settings),
    backupsCheck(settings),
  ]
}

/** Returns a function that makes every check of the setup, for admins. */
export function setupReporter(settings: Settings): () => Promise<SetupReport> {
  const check = cacheChecks(setupChecks(settings), MAX_AGE_MS, SETUP_TIMEOUT_MS)
  return async () => ({ findings: reportFindings(await check()) })
}
