import { type DiskSpace, diskSpace } from '@saltfreak/backend'
import type { Settings } from '../../settings.ts'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

export const DISK = 'disk'
const GIGABYTE = 1e9

type DiskUse = Pick<Settings, 'databaseUrl' | 's3'>

/** The disk of the data folder has room. */
export function diskCheck(settings: DiskUse & Pick<Settings, 'dataDir'>, spaceOf = diskSpace): HealthCheck {
  return { component: DISK, check: async () => diskFinding(await spaceOf(settings.dataDir), settings) }
}

export function diskFinding({ level, freeBytes, totalBytes }: DiskSpace, use: DiskUse) {
  const rest = `${(freeBytes / GIGABYTE).toFixed(1)} of ${(totalBytes / GIGABYTE).toFixed(0)} GB are free`
  if (level === 'ok') return ok(`The disk has room: ${rest}.`)
  const action =
    'Delete files that the shop does not need, such as old logs or downloads, or rent a larger disk.'
  return level === 'low'
    ? warning(`The disk is almost full: ${rest}. ${refusedWhenLow(use)}`, action)
    : failed(`The disk is full: ${rest}. ${refusedWhenCritical(use)}`, action)
}

function refusedWhenLow({ s3 }: DiskUse): string {
  return s3 ? 'The shop accepts everything so far.' : 'The shop accepts no new pictures.'
}

function refusedWhenCritical(use: DiskUse): string {
  if (use.databaseUrl) return refusedWhenLow(use)
  return 'The shop only accepts accounts, orders and payments, and soon cannot save those either.'
}
