/**
 * Storage's errors: HTTP 400 for nearly everything, the true status as text in the body. Clients read `statusCode`.
 */
const ERRORS = {
  NoSuchKey: { statusCode: '404', error: 'not_found', message: 'Object not found' },
  NoSuchBucket: { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found' },
  NoSuchRoute: { statusCode: '404', error: 'not_found', message: 'This path is not served' },
  InvalidRequest: { statusCode: '400', error: 'invalid_request', message: 'The request is not valid' },
  InvalidRange: {
    statusCode: '416',
    error: 'invalid_range',
    message: 'The requested range is not satisfiable',
  },
  InvalidMimeType: {
    statusCode: '415',
    error: 'invalid_mime_type',
    message: 'The file is not a picture that can be resized',
  },
  EntityTooLarge: {
    statusCode: '413',
    error: 'Payload too large',
    message: 'The object exceeded the maximum allowed size',
  },
  SlowDown: {
    statusCode: '503',
    error: 'slow_down',
    message: 'Too many pictures are being made; try again soon',
  },
  InternalError: { statusCode: '500', error: 'internal', message: 'Internal Server Error' },
} as const

export type StorageErrorCode = keyof typeof ERRORS

/** An outcome the protocol has a name for; thrown by an operation, answered in one place. */
export class StorageError extends Error {
  readonly code: StorageErrorCode

  constructor(code: StorageErrorCode, message: string = ERRORS[code].message, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The few whose HTTP status a cache, a browser or a retrying client must understand. */
const HTTP_STATUS: Partial<Record<StorageErrorCode, number>> = {
  InvalidRange: 416,
  SlowDown: 503,
  InternalError: 500,
}

export function answerError({ code, message }: StorageError): Response {
  const { statusCode, error } = ERRORS[code]
  return Response.json(
    { statusCode, code, error, message },
    { status: HTTP_STATUS[code] ?? 400, headers: { 'Cache-Control': 'no-store' } },
  )
}
