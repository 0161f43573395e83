import { type DiskSpace, diskSpace } from '@saltfreak/backend'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

const GIGABYTE = 1e9

/** The disk of the data folder has room. */
export function diskCheck(dataDir: string): HealthCheck {
  return { component: 'disk', check: async () => diskFinding(await diskSpace(dataDir)) }
}

export function diskFinding({ level, freeBytes, totalBytes }: DiskSpace) {
  const rest = `${(freeBytes / GIGABYTE).toFixed(1)} of ${(totalBytes / GIGABYTE).toFixed(0)} GB are free`
  if (level === 'ok') return ok(`The disk has room: ${rest}.`)
  const action =
    'Delete files that the shop does not need, such as old logs or downloads, or rent a larger disk.'
  return level === 'low'
    ? warning(`The disk is almost full: ${rest}. The shop accepts no new pictures.`, action)
    : failed(`The disk is full: ${rest}. Orders and payments are about to fail.`, action)
}
