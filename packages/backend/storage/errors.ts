import { DatabaseError } from 'pg'
import { REFUSALS, retryAfter, whyUnavailable } from '#backend/database/unavailable.ts'

/** As in Supabase Storage, nearly every error has HTTP status 400; clients read the real status from `statusCode` in the body. */
const ERRORS = {
  AccessDenied: {
    statusCode: '403',
    error: 'Unauthorized',
    message: 'new row violates row-level security policy',
  },
  BucketNotEmpty: {
    statusCode: '409',
    error: 'InvalidRequest',
    message: 'The bucket you tried to delete is not empty',
  },
  Duplicate: { statusCode: '409', error: 'Duplicate', message: 'The resource already exists' },
  EntityTooLarge: {
    statusCode: '413',
    error: 'Payload too large',
    message: 'The object exceeded the maximum allowed size',
  },
  InsufficientStorage: {
    statusCode: '507',
    error: 'insufficient_storage',
    message: 'We can’t store more files right now. Please try again later.',
  },
  InternalError: { statusCode: '500', error: 'internal', message: 'Internal Server Error' },
  InvalidBucketName: { statusCode: '400', error: 'Invalid Input', message: 'Bucket name invalid' },
  InvalidJWT: { statusCode: '400', error: 'InvalidJWT', message: 'Invalid JWT' },
  InvalidKey: { statusCode: '400', error: 'InvalidKey', message: 'Invalid key' },
  InvalidMimeType: {
    statusCode: '415',
    error: 'invalid_mime_type',
    message: 'The file is not a picture that can be resized',
  },
  InvalidRange: {
    statusCode: '416',
    error: 'invalid_range',
    message: 'The requested range is not satisfiable',
  },
  InvalidRequest: { statusCode: '400', error: 'invalid_request', message: 'The request is not valid' },
  NoSuchBucket: { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found' },
  NoSuchKey: { statusCode: '404', error: 'not_found', message: 'Object not found' },
  NoSuchUpload: { statusCode: '404', error: 'not_found', message: 'Upload not found' },
  NoSuchRoute: { statusCode: '404', error: 'not_found', message: 'This path is not served' },
  OffsetConflict: {
    statusCode: '409',
    error: 'offset_conflict',
    message: 'Upload-Offset is not the number of bytes that have arrived',
  },
  ResourceLocked: {
    statusCode: '423',
    error: 'resource_locked',
    message: 'Another request continues this upload',
  },
  ServiceUnavailable: {
    statusCode: '503',
    error: 'service_unavailable',
    message: REFUSALS.lost.message,
  },
  SlowDown: {
    statusCode: '503',
    error: 'slow_down',
    message: 'Too many pictures are being made; try again soon',
  },
  TooManyUploads: {
    statusCode: '429',
    error: 'too_many_requests',
    message: 'Too many unfinished uploads; finish or cancel some, or try again later',
  },
  TooManyPictures: {
    statusCode: '429',
    error: 'too_many_requests',
    message: 'Too many new picture sizes were requested; try again later',
  },
  UnsupportedVersion: {
    statusCode: '412',
    error: 'unsupported_version',
    message: 'Tus-Resumable must be 1.0.0',
  },
  UploadExpired: { statusCode: '410', error: 'expired', message: 'The upload has expired' },
} as const

export type StorageErrorCode = keyof typeof ERRORS

/** An error with a code of the protocol; `createStorage` turns it into a response. */
export class StorageError extends Error {
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string = ERRORS[code].message, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Errors whose HTTP status matters to caches, browsers and retrying clients. */
const HTTP_STATUS: Partial<Record<StorageErrorCode, number>> = {
  InvalidRange: 416,
  InsufficientStorage: 507,
  ServiceUnavailable: 503,
  SlowDown: 503,
  TooManyPictures: 429,
  InternalError: 500,
}

export function storageErrorResponse({ code, message }: StorageError): Response {
  const { statusCode, error } = ERRORS[code]
  return Response.json(
    { statusCode, code, error, message },
    { status: HTTP_STATUS[code] ?? 400, headers: headersOf(code) },
  )
}

function headersOf(code: StorageErrorCode): Record<string, string> {
  const why = code === 'InsufficientStorage' ? 'full' : 'lost'
  return { 'Cache-Control': 'no-store', ...(isTemporary({ code }) && retryAfter(why)) }
}

/** Whether the same request may succeed later. */
export function isTemporary({ code }: Pick<StorageError, 'code'>): boolean {
  return code === 'ServiceUnavailable' || code === 'InsufficientStorage'
}

/** TUS clients read the HTTP status and show the body as plain text. */
export function resumableErrorResponse({ code, message }: StorageError): Response {
  return new Response(message, {
    status: Number(ERRORS[code].statusCode),
    headers: { ...headersOf(code), 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

/** Maps an error of a database or disk that is temporarily unavailable to a `StorageError`; returns null for every other error. */
export function temporaryError(error: unknown): StorageError | null {
  const why = whyUnavailable(error)
  if (!why) return null
  if (why === 'full') return new StorageError('InsufficientStorage', undefined, { cause: error })
  return new StorageError('ServiceUnavailable', REFUSALS[why].message, { cause: error })
}

/** Maps a PostgreSQL error that the caller caused to a `StorageError`; returns null for every other error. */
export function storageErrorFrom(error: unknown): StorageError | null {
  if (!(error instanceof DatabaseError)) return null
  switch (error.code ?? '') {
    case '42501':
      return new StorageError('AccessDenied', undefined, { cause: error })
    case '23505':
      return new StorageError('Duplicate', undefined, { cause: error })
    case '23503':
      return new StorageError('NoSuchBucket', undefined, { cause: error })
    // A NUL character, or a text that is not a value of its column's type.
    case '22021':
    case '22P02':
    case '22P05':
      return new StorageError('InvalidRequest', undefined, { cause: error })
    // A trigger of the application raised an error with a message for the caller.
    case 'P0001':
      return new StorageError('InvalidRequest', error.message, { cause: error })
    default:
      return null
  }
}
