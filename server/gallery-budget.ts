import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { tryConsumeRateLimit, creditRateLimit } from '#backend/auth/limits/rate-limit.ts'
import { StorageError } from '#backend/storage/errors.ts'
import type { StorageParts } from '#backend/storage/parts.ts'
import { GALLERY_FULL, shopLimits } from './limits.ts'

/** Where visitors put files. */
const OPEN_BUCKETS = new Set(['gallery', 'gallery-private'])

/**
 * A photo counts as at most the largest that the bucket takes, also when no size is announced: the service refuses a larger one, and
 * one refused request must not use up the kilobytes of all visitors.
 */
const LARGEST_KILOBYTES = 5 * 1024
const WARN_EVERY_MS = 3_600_000

/** What all visitors together may put into the gallery in a day. Only photos that are kept use it up. */
export interface GalleryBudget {
  /** False, with a note for the admins, when the day has no room for a photo of this size. */
  take(kilobytes: number): Promise<boolean>
  /** The photo is not kept after all. */
  giveBack(kilobytes: number): Promise<void>
  guardFinish: NonNullable<StorageParts['guardFinish']>
}

export function createGalleryBudget(owner: Pool, log: Pick<Logger, 'warn'>): GalleryBudget {
  const { uploadsPerShop, uploadedKilobytesPerShop } = shopLimits
  const photos = { ...uploadsPerShop, subject: 'shop' }
  const weighing = (cost: number) => ({ ...uploadedKilobytesPerShop, subject: 'shop', cost })
  let warnedAt = -Infinity

  async function count(kilobytes: number): Promise<boolean> {
    if (!(await tryConsumeRateLimit(owner, photos))) return false
    if (await tryConsumeRateLimit(owner, weighing(kilobytes))) return true
    await creditRateLimit(owner, photos)
    return false
  }

  async function take(kilobytes: number): Promise<boolean> {
    if (await count(kilobytes)) return true
    await owner.query('select private.record_full_gallery()')
    if (Date.now() - warnedAt > WARN_EVERY_MS) {
      warnedAt = Date.now()
      log.warn({ uploadsPerShop, uploadedKilobytesPerShop }, 'the gallery has used up its uploads of the day')
    }
    return false
  }

  async function giveBack(kilobytes: number): Promise<void> {
    await creditRateLimit(owner, photos)
    await creditRateLimit(owner, weighing(kilobytes))
  }

  return {
    take,
    giveBack,
    async guardFinish({ bucket, createdBy, size }, store) {
      if (!isForGallery(bucket, createdBy === 'signed')) return store()
      const kilobytes = kilobytesOf(size)
      if (!(await take(kilobytes))) throw new StorageError('TooManyUploads', GALLERY_FULL)
      try {
        await store()
      } catch (error) {
        await giveBack(kilobytes)
        throw error
      }
    },
  }
}

/** A signed address is given to visitors too, whatever its bucket. */
export function isForGallery(bucket: string, isSigned: boolean): boolean {
  return isSigned || OPEN_BUCKETS.has(bucket)
}

function kilobytesOf(bytes: number): number {
  return Math.min(Math.ceil(bytes / 1024), LARGEST_KILOBYTES)
}

/** What a header announces, in kB. */
export function announcedKilobytes(length: string | undefined): number {
  return length && /^\d{1,12}$/.test(length) ? kilobytesOf(Number(length)) : LARGEST_KILOBYTES
}
