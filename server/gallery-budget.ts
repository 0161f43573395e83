import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { creditRateLimit, StorageError, type StorageParts, tryConsumeRateLimit } from '@saltfreak/backend'
import { GALLERY_FULL, shopLimits } from './limits.ts'

/** Buckets that visitors may upload to. */
const OPEN_BUCKETS = new Set(['gallery', 'gallery-private'])

/**
 * The bucket's size limit, also used when no size is declared. The service refuses larger photos, so one refused request
 * must not use up the budget of all visitors.
 */
const LARGEST_KILOBYTES = 5 * 1024
const WARN_EVERY_MS = 3_600_000

/** The daily upload budget of all visitors together. Only stored photos use it up. */
export interface GalleryBudget {
  /** Returns false, and notifies the admins, when the budget has no room for a photo of this size. */
  take(kilobytes: number): Promise<boolean>
  /** Call when the photo was not stored. */
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

/** Visitors can get a signed address for any bucket. */
export function isForGallery(bucket: string, isSigned: boolean): boolean {
  return isSigned || OPEN_BUCKETS.has(bucket)
}

function kilobytesOf(bytes: number): number {
  return Math.min(Math.ceil(bytes / 1024), LARGEST_KILOBYTES)
}

/** Reads a length header, in kB. */
export function declaredKilobytes(length: string | undefined): number {
  return length && /^\d{1,12}$/.test(length) ? kilobytesOf(Number(length)) : LARGEST_KILOBYTES
}
