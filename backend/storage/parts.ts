import type { Context } from 'hono'
import type { PoolClient } from 'pg'

import { asCaller, type Caller } from '#backend/http/caller.ts'
import type { Database } from '#backend/database/pool.ts'
import type { FindCaller } from './caller.ts'
import type { Disk } from './disk/disk.ts'
import type { RenderPicture } from './render/derivatives.ts'
import type { OfferedPictures } from './render/transformation.ts'
import type { ResumableUpload } from './resumable/upload-row.ts'
import type { AddressSigner } from './signed/address-signer.ts'

/** What every operation is given. */
export interface StorageParts {
  database: Database
  disk: Disk
  findCaller: FindCaller
  renderPicture: RenderPicture
  /** Left out, visitors may ask for any size. */
  pictures?: OfferedPictures | undefined
  /** Counts a picture that has to be made for a network address; false when there were too many. */
  mayMakePicture?: ((address: string) => Promise<boolean>) | undefined
  /**
   * Wraps the storing of a resumable upload whose last byte has arrived: calls `store`, or throws a `StorageError` instead, with
   * which the upload is removed.
   */
  guardFinish?: ((upload: ResumableUpload, store: () => Promise<void>) => Promise<void>) | undefined
  addresses: AddressSigner
  maxFileBytes: number
  unfinished: UnfinishedLimits
}

/** What uploads that arrive in parts may hold on the disk before they are finished. */
export interface UnfinishedLimits {
  /** Of one account, or of one network address without an account. */
  uploadsPerCaller: number
  /** Of all together, as announced. Callers without an account get half of it, so that they cannot lock out the others. */
  bytes: number
}

/** What a policy may ask for with `storage.operation()`. */
type Operation = `storage.${'object' | 'bucket' | 'tus.upload'}.${string}`

export interface Asked {
  c: Context
  operation: Operation
}

/** Does `work` with the caller's rights and nothing else: the policies on `storage.objects` decide. */
export async function asAsked<T>(
  storage: StorageParts,
  { c, operation }: Asked,
  work: (client: PoolClient, caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = await storage.findCaller(c)
  return asCaller(storage.database, caller, (client) => work(client, caller), {
    settings: {
      'storage.operation': operation,
      // This service is the one place that removes the bytes together with the row.
      'storage.allow_delete_query': 'true',
    },
  })
}
