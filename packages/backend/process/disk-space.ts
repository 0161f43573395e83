import { statfs } from 'node:fs/promises'

const MEBIBYTE = 1024 * 1024

/** A disk is low below the smaller of a share and a size: a share alone would leave 100 GB of a large disk unused. */
const LIMITS = {
  low: { share: 0.1, bytes: 2048 * MEBIBYTE },
  critical: { share: 0.03, bytes: 512 * MEBIBYTE },
}

export interface DiskSpace {
  freeBytes: number
  totalBytes: number
  /** `low`: files must not be added. `critical`: every optional write must stop, because the necessary ones are about to fail. */
  level: 'ok' | 'low' | 'critical'
}

/** Returns the space of the disk that holds `folder`, as a process without root's reserve sees it. Throws if the folder does not exist. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  const totalBytes = blocks * bsize
  return { freeBytes, totalBytes, level: levelOf(freeBytes, totalBytes) }
}

function levelOf(freeBytes: number, totalBytes: number): DiskSpace['level'] {
  const isBelow = (limit: keyof typeof LIMITS) =>
    freeBytes < Math.min(LIMITS[limit].share * totalBytes, LIMITS[limit].bytes)
  if (isBelow('critical')) return 'critical'
  return isBelow('low') ? 'low' : 'ok'
}
