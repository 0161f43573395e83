import { StorageError } from '../errors.ts'
import type { ObjectAddress } from '../objects/object-row.ts'
import { requireValidKey } from '../request.ts'
import {
  DEFAULT_TYPE,
  NO_CACHE,
  parseUserMetadata,
  requireType,
  type UploadFacts,
} from '../uploads/read-upload.ts'

/** It is stored with the upload and sent back as it came. */
const LONGEST = 8 * 1024

/** `Upload-Metadata` of TUS: names with values in Base64, with commas between the pairs. */
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

/** The bucket that an upload is meant for, for limits that look at a request before the service does; null if it names none. */
export function bucketOfUpload(header: string | undefined): string | null {
  try {
    return parsePairs(header ?? '').get('bucketName') ?? null
  } catch {
    return null
  }
}

export interface UploadMetadata extends ObjectAddress {
  facts: UploadFacts
}

/** Where the file is to lie and what comes with it; the names are the hosted product's. */
export function parseUploadMetadata(header: string | undefined): UploadMetadata {
  if (!header || header.length > LONGEST) throw invalid()
  const pairs = parsePairs(header)
  const bucket = pairs.get('bucketName') ?? ''
  const path = pairs.get('objectName') ?? ''
  if (bucket === '' || bucket.includes('\0')) throw new StorageError('NoSuchBucket')
  requireValidKey(path)
  const seconds = pairs.get('cacheControl') ?? ''
  return {
    bucket,
    path,
    facts: {
      contentType: requireType(pairs.get('contentType') || DEFAULT_TYPE),
      cacheControl: /^\d{1,10}$/.test(seconds) ? `max-age=${seconds}` : NO_CACHE,
      userMetadata: parseUserMetadata(pairs.get('metadata') ?? ''),
    },
  }
}
