import { Hono } from 'hono'

import type { Credentials } from '#backend/http/gateway.ts'
import {
  createBucket,
  deleteBucket,
  emptyBucket,
  getBucket,
  listBuckets,
  updateBucket,
} from './buckets/buckets.ts'
import { createCallerFinder } from './caller.ts'
import { storageErrorResponse, storageErrorFrom, StorageError, temporaryError } from './errors.ts'
import { listObjectsV2 } from './objects/list-objects-v2.ts'
import { listObjects } from './objects/list-objects.ts'
import { copyObject, moveObject } from './objects/move-and-copy.ts'
import { objectInfo, publicObjectInfo, readAuthenticated } from './objects/read-authenticated.ts'
import { readPublic } from './objects/read-public.ts'
import { removeObject, removeObjects } from './objects/remove-objects.ts'
import type { StorageParts } from './parts.ts'
import { createMetadataStripper } from './privacy/strip-metadata.ts'
import type { UnfinishedLimits } from './resumable/upload-row.ts'
import { createRenderer } from './render/derivatives.ts'
import { renderAuthenticated, renderPublic } from './render/picture-response.ts'
import { createResumable } from './resumable/create-resumable.ts'
import { createAddressSigner } from './signed/address-signer.ts'
import { readSigned, renderSigned } from './signed/read-signed.ts'
import { signAddress, signAddresses } from './signed/sign-address.ts'
import { SETTLED_AFTER_MS } from './sweep-files.ts'
import { signUpload, upload, uploadSigned } from './uploads/upload.ts'
import type { Log } from '#backend/process/log.ts'

const MAX_FILE_BYTES = 100 * 1024 * 1024

/** Enough for a few hundred visitors of one mobile network and for a day of video. */
export const UNFINISHED_UPLOAD_LIMITS: UnfinishedLimits = { uploadsPerCaller: 100, bytes: 10 * 1024 ** 3 }

type SharedParts = Pick<
  StorageParts,
  'database' | 'files' | 'beginCall' | 'pictures' | 'mayMakePicture' | 'guardFinish'
>

export interface StorageOptions extends SharedParts, Credentials {
  /** Upper limit for every bucket; a bucket may set a lower one. */
  maxFileBytes?: number
  unfinished?: UnfinishedLimits
  log: Pick<Log, 'error'>
}

/** Returns the app for `/storage/v1`. */
export function createStorage(options: StorageOptions): Hono {
  const { database, files, log } = options
  const storage: StorageParts = {
    database,
    files,
    findCaller: createCallerFinder(options),
    beginCall: options.beginCall,
    renderPicture: createRenderer(files),
    stripMetadata: createMetadataStripper(files),
    pictures: options.pictures,
    mayMakePicture: options.mayMakePicture,
    guardFinish: options.guardFinish,
    addresses: createAddressSigner(database.owner),
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
    unfinished: options.unfinished ?? UNFINISHED_UPLOAD_LIMITS,
  }
  // Removes temporary files of a killed process at once; the hourly sweep removes the rest.
  void files
    .sweepUnfinished(new Date(Date.now() - SETTLED_AFTER_MS))
    .catch((error: unknown) => log.error({ err: error }, 'Could not sweep unfinished uploads'))
  const app = new Hono()

  serveBuckets(app, storage)
  serveObjects(app, storage)
  app.route('/upload/resumable', createResumable(storage, log))
  app.get('/status', (c) => c.body(null, 200))
  // Hono calls `notFound` of the outermost app only.
  app.all('*', () => storageErrorResponse(new StorageError('NoSuchRoute')))
  app.onError((error, c) => {
    const known = error instanceof StorageError ? error : storageErrorFrom(error)
    if (known) return storageErrorResponse(known)
    log.error({ err: error, path: c.req.path }, 'Storage request failed')
    return storageErrorResponse(temporaryError(error) ?? new StorageError('InternalError'))
  })
  return app
}

function serveBuckets(app: Hono, storage: StorageParts): void {
  app.post('/bucket', (c) => createBucket(storage, c))
  app.get('/bucket', (c) => listBuckets(storage, c))
  app.get('/bucket/:bucket', (c) => getBucket(storage, c))
  app.put('/bucket/:bucket', (c) => updateBucket(storage, c))
  app.delete('/bucket/:bucket', (c) => deleteBucket(storage, c))
  app.post('/bucket/:bucket/empty', (c) => emptyBucket(storage, c))
}

/** Routes with a fixed first segment come first: `:bucket` would match that segment. */
function serveObjects(app: Hono, storage: StorageParts): void {
  app.get('/object/public/:bucket/:path{.+}', (c) => readPublic(storage, c))
  app.get('/render/image/public/:bucket/:path{.+}', (c) => renderPublic(storage, c))
  app.get('/render/image/authenticated/:bucket/:path{.+}', (c) => renderAuthenticated(storage, c))
  app.get('/render/image/sign/:bucket/:path{.+}', (c) => renderSigned(storage, c))
  app.get('/object/info/public/:bucket/:path{.+}', (c) => publicObjectInfo(storage, c))
  app.get('/object/info/authenticated/:bucket/:path{.+}', (c) => objectInfo(storage, c))
  app.get('/object/info/:bucket/:path{.+}', (c) => objectInfo(storage, c))
  app.get('/object/authenticated/:bucket/:path{.+}', (c) => readAuthenticated(storage, c))

  app.post('/object/upload/sign/:bucket/:path{.+}', (c) => signUpload(storage, c))
  app.put('/object/upload/sign/:bucket/:path{.+}', (c) => uploadSigned(storage, c))
  app.post('/object/sign/:bucket', (c) => signAddresses(storage, c))
  app.post('/object/sign/:bucket/:path{.+}', (c) => signAddress(storage, c))
  app.get('/object/sign/:bucket/:path{.+}', (c) => readSigned(storage, c))
  app.post('/object/list/:bucket', (c) => listObjects(storage, c))
  app.post('/object/list-v2/:bucket', (c) => listObjectsV2(storage, c))
  app.post('/object/move', (c) => moveObject(storage, c))
  app.post('/object/copy', (c) => copyObject(storage, c))

  app.get('/object/:bucket/:path{.+}', (c) => readAuthenticated(storage, c))
  app.post('/object/:bucket/:path{.+}', (c) => upload(storage, c))
  app.put('/object/:bucket/:path{.+}', (c) => upload(storage, c))
  app.delete('/object/:bucket/:path{.+}', (c) => removeObject(storage, c))
  app.delete('/object/:bucket', (c) => removeObjects(storage, c))
}
