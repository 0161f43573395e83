import type { Pool } from 'pg'
import type { Logger } from 'pino'
import {
  creditRateLimit,
  type RateLimit,
  siteOf,
  StorageError,
  type StorageParts,
  tryConsumeRateLimit,
} from '@saltfreak/backend'
import { type CallLimit, GALLERY_FULL, shopLimits, TOO_MANY_REQUESTS } from './limits.ts'

/** Buckets that visitors may upload to. */
const OPEN_BUCKETS = new Set(['gallery', 'gallery-private'])

/**
 * The bucket's size limit, also used when no size is declared. The service refuses larger photos, so one refused request
 * must not use up the budget of all visitors.
 */
const LARGEST_KILOBYTES = 5 * 1024
const WARN_EVERY_MS = 3_600_000

/** A photo to be stored, and the address or network that sends it; null with the secret key. */
interface SentPhoto {
  kilobytes: number
  sender: string | null
}

export type UploadRefusal = 'too_many_sent' | 'gallery_full'

export const UPLOAD_REFUSALS: Record<UploadRefusal, string> = {
  too_many_sent: TOO_MANY_REQUESTS,
  gallery_full: GALLERY_FULL,
}

/** The daily upload budgets of each address and of all visitors together. Only stored photos use them up. */
export interface GalleryBudget {
  /** Returns null, or why a budget has no room for the photo. Notifies the admins when it is that of all visitors. */
  take(photo: SentPhoto): Promise<UploadRefusal | null>
  /** Call when the photo was not stored. */
  giveBack(photo: SentPhoto): Promise<void>
  guardFinish: NonNullable<StorageParts['guardFinish']>
}

export function createGalleryBudget(owner: Pool, log: Pick<Logger, 'warn'>): GalleryBudget {
  const { uploadsPerShop, uploadedKilobytesPerShop } = shopLimits
  let warnedAt = -Infinity

  async function giveBackAll(limits: CountedUpload[]): Promise<void> {
    for (const limit of limits) await creditRateLimit(owner, limit)
  }

  async function take(photo: SentPhoto): Promise<UploadRefusal | null> {
    const limits = limitsOf(photo)
    for (const [at, limit] of limits.entries()) {
      if (await tryConsumeRateLimit(owner, limit)) continue
      await giveBackAll(limits.slice(0, at))
      if (limit.refusal === 'gallery_full') await report()
      return limit.refusal
    }
    return null
  }

  async function report(): Promise<void> {
    await owner.query('select private.record_full_gallery()')
    if (Date.now() - warnedAt <= WARN_EVERY_MS) return
    warnedAt = Date.now()
    log.warn({ uploadsPerShop, uploadedKilobytesPerShop }, 'the gallery has used up its uploads of the day')
  }

  const giveBack = (photo: SentPhoto) => giveBackAll(limitsOf(photo))

  return {
    take,
    giveBack,
    async guardFinish({ bucket, createdBy, size, countedFor }, store) {
      if (!isForGallery(bucket, createdBy === 'signed')) return store()
      const photo = { kilobytes: kilobytesOf(size), sender: countedFor }
      const refusal = await take(photo)
      if (refusal) throw new StorageError('TooManyUploads', UPLOAD_REFUSALS[refusal])
      try {
        await store()
      } catch (error) {
        await giveBack(photo)
        throw error
      }
    },
  }
}

type CountedUpload = RateLimit & { refusal: UploadRefusal }

/** The sender's limits come first: a refused photo must not touch those of the shop, which would notify the admins. */
function limitsOf({ kilobytes, sender }: SentPhoto): CountedUpload[] {
  const { uploadsPerAddress, uploadedKilobytesPerAddress, uploadsPerShop, uploadedKilobytesPerShop } =
    shopLimits
  const two = (photos: CallLimit, size: CallLimit, limited: Pick<CountedUpload, 'subject' | 'refusal'>) => [
    { ...photos, ...limited },
    { ...size, ...limited, cost: kilobytes },
  ]
  const ofShop = two(uploadsPerShop, uploadedKilobytesPerShop, { subject: 'shop', refusal: 'gallery_full' })
  if (sender === null) return ofShop
  const limited = { subject: siteOf(sender), refusal: 'too_many_sent' } as const
  return [...two(uploadsPerAddress, uploadedKilobytesPerAddress, limited), ...ofShop]
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
