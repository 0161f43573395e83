import type { Context } from 'hono'
import type { PoolClient } from 'pg'

import { asCaller, type Caller } from '#backend/http/caller.ts'
import { type BeginCall, TOO_MANY_AT_ONCE } from '#backend/http/concurrency.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import type { FindCaller } from './caller.ts'
import { StorageError } from './errors.ts'
import type { FileStore } from './files/file-store.ts'
import type { StripMetadata } from './privacy/strip-metadata.ts'
import type { RenderPicture } from './render/derivatives.ts'
import type { OfferedPictures } from './render/transformation.ts'
import type { ResumableUpload, UnfinishedLimits } from './resumable/upload-row.ts'
import type { AddressSigner } from './signed/address-signer.ts'

/** Dependencies of every storage operation. */
export interface StorageParts {
  database: DatabasePools
  files: FileStore
  findCaller: FindCaller
  /** Limits the concurrent transactions of a caller; unlimited when omitted. */
  beginCall?: BeginCall | undefined
  renderPicture: RenderPicture
  stripMetadata: StripMetadata
  /** Visitors may request any size when omitted. */
  pictures?: OfferedPictures | undefined
  /** Consumes the rate limit for rendering; returns false when the network address exceeded it. */
  mayMakePicture?: ((address: string) => Promise<boolean>) | undefined
  /**
   * Middleware for a resumable upload whose last byte has arrived: calls `store`, or throws a `StorageError`, which removes the
   * upload.
   */
  guardFinish?: ((upload: ResumableUpload, store: () => Promise<void>) => Promise<void>) | undefined
  addresses: AddressSigner
  maxFileBytes: number
  unfinished: UnfinishedLimits
}

/** Policies read the operation with `storage.operation()`. */
type Operation = `storage.${'object' | 'bucket' | 'tus.upload'}.${string}`

export interface CallerRequest {
  c: Context
  operation: Operation
}

/**
 * Runs `work` in a transaction with the caller's rights: the policies on `storage.objects` decide about access. Waits for the caller's
 * other transactions; throws `SlowDown` when too many wait.
 */
export async function runAsCaller<T>(
  storage: StorageParts,
  { c, operation }: CallerRequest,
  work: (client: PoolClient, caller: Caller) => Promise<T>,
): Promise<T> {
  const caller = await storage.findCaller(c)
  const endCall = await beginCall(storage, c, caller)
  let isRefused = true
  try {
    const result = await asCaller(storage.database, caller, (client) => work(client, caller), {
      settings: {
        'storage.operation': operation,
        // A trigger refuses deletes without this setting: only this service removes the bytes together with the row.
        'storage.allow_delete_query': 'true',
      },
    })
    isRefused = false
    return result
  } finally {
    endCall(isRefused)
  }
}

/** Counts transactions instead of requests: a file on a slow line would take a place for minutes. */
async function beginCall(storage: StorageParts, c: Context, caller: Caller) {
  if (!storage.beginCall) return () => undefined
  const address: unknown = c.get('remoteAddress')
  const endCall = await storage.beginCall({
    request: c.req,
    caller,
    address: typeof address === 'string' ? address : null,
  })
  if (!endCall) throw new StorageError('SlowDown', TOO_MANY_AT_ONCE)
  return endCall
}
