import { StorageError } from '../errors.ts'
import type { ObjectAddress } from '../objects/object-row.ts'
import { requireValidKey } from '../request.ts'
import {
  DEFAULT_TYPE,
  NO_CACHE,
  parseUserMetadata,
  requireType,
  type UploadAttributes,
} from '../uploads/read-upload.ts'

/** The header is stored with the upload and returned unchanged. */
const MAX_METADATA_LENGTH = 8 * 1024

/** TUS `Upload-Metadata`: comma-separated pairs of a name and a Base64 value. */
function parsePairs(header: string): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of header.split(',')) {
    const [name, value = '', ...more] = pair.trim().split(' ')
    if (!name || more.length > 0 || pairs.has(name) || !isBase64(value)) throw invalid()
    pairs.set(name, Buffer.from(value, 'base64').toString('utf8'))
  }
  return pairs
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

function invalid(): StorageError {
  return new StorageError('InvalidRequest', 'Invalid Upload-Metadata header')
}

/** Returns the bucket of an upload for rate limits that run before the service; null if the header is missing or invalid. */
export function bucketOfUpload(header: string | undefined): string | null {
  try {
    return parsePairs(header ?? '').get('bucketName') ?? null
  } catch {
    return null
  }
}

export interface UploadMetadata extends ObjectAddress {
  attributes: UploadAttributes
}

/** Parses bucket, path and file attributes; the pair names are those of the hosted product. */
export function parseUploadMetadata(header: string | undefined): UploadMetadata {
  if (!header || header.length > MAX_METADATA_LENGTH) throw invalid()
  const pairs = parsePairs(header)
  const bucket = pairs.get('bucketName') ?? ''
  const path = pairs.get('objectName') ?? ''
  if (bucket === '' || bucket.includes('\0')) throw new StorageError('NoSuchBucket')
  requireValidKey(path)
  const seconds = pairs.get('cacheControl') ?? ''
  return {
    bucket,
    path,
    attributes: {
      contentType: requireType(pairs.get('contentType') || DEFAULT_TYPE),
      cacheControl: /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : NO_CACHE,
      userMetadata: parseUserMetadata(pairs.get('metadata') ?? ''),
    },
  }
}
