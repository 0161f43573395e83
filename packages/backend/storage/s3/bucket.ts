import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'

import { StorageError } from '../errors.ts'
import { isUnreachable, requestProblem, isFromServer } from './s3-problem.ts'
import type { S3Settings } from './s3-settings.ts'
import type { Log } from '#backend/process/log.ts'

const CONNECT_TIMEOUT_MS = 2000
/** For requests that carry no file. */
const ANSWER_TIMEOUT_MS = 3000
/** A part of an upload on a slow line. */
const UPLOAD_TIMEOUT_MS = 60_000
/** A reader of a file may pause for as long. */
const IDLE_TIMEOUT_MS = 120_000
/** Slow readers each hold one. */
const SOCKETS = 512
/** While the server does not answer, one request at a time asks it: all others fail at once instead of waiting as well. */
const RETRY_INTERVAL_MS = 1000
const LOG_INTERVAL_MS = 60_000

/** Options of requests that carry no file. */
export const PROMPT = { requestTimeout: ANSWER_TIMEOUT_MS }

/** A bucket and the state of its server. */
export interface Bucket {
  settings: S3Settings
  client: S3Client
  /** Runs a request; throws `ServiceUnavailable` for an error of the server, and errors of `work` itself unchanged. */
  request<T>(this: void, work: (client: S3Client) => Promise<T>): Promise<T>
  /** The moment of the last success, by `performance.now()`. */
  answeredAt(this: void): number
  /** How far this machine's clock is ahead of the server's, as of the last response. */
  clockLeadMs(this: void): number
}

export function openBucket(settings: S3Settings, log: Pick<Log, 'error'>): Bucket {
  const client = new S3Client(clientConfig(settings))
  let lead = 0
  let answeredAt = -Infinity
  let outage: { askedAt: number } | null = null
  let loggedAt = -Infinity
  // The client adapts to a wrong clock silently; other programs do not.
  client.middlewareStack.add(
    (next) => async (args) => {
      const sentAt = Date.now()
      const result = await next(args)
      const { response } = result
      const date = isResponse(response) ? Date.parse(response.headers.date ?? '') : Number.NaN
      if (!Number.isNaN(date)) lead = sentAt - date
      return result
    },
    { step: 'deserialize', priority: 'low', name: 'readServerTime' },
  )

  function report(error: unknown): void {
    if (performance.now() - loggedAt < LOG_INTERVAL_MS) return
    loggedAt = performance.now()
    log.error({ reason: requestProblem(error, settings) }, 'a request to the S3 server failed')
  }

  return {
    settings,
    client,
    async request(work) {
      const now = performance.now()
      if (outage && now - outage.askedAt < RETRY_INTERVAL_MS) throw unavailable()
      if (outage) outage = { askedAt: now }
      try {
        const result = await work(client)
        answeredAt = performance.now()
        outage = null
        return result
      } catch (error) {
        if (!isFromServer(error)) throw error
        outage = isUnreachable(error) ? { askedAt: performance.now() } : null
        report(error)
        throw unavailable(error)
      }
    },
    answeredAt: () => answeredAt,
    clockLeadMs: () => lead,
  }
}

function unavailable(cause?: unknown): StorageError {
  return new StorageError(
    'ServiceUnavailable',
    'We can’t reach our file storage right now. Please try again in a minute.',
    { cause },
  )
}

function isResponse(response: unknown): response is { headers: Record<string, string | undefined> } {
  return typeof response === 'object' && response !== null && 'headers' in response
}

function clientConfig(settings: S3Settings): S3ClientConfig {
  const { endpoint, region, usesPathStyle, accessKeyId, secretAccessKey, sessionToken } = settings
  return {
    region,
    ...(endpoint && { endpoint }),
    forcePathStyle: usesPathStyle,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    // Most servers other than Amazon's know neither the newer checksums nor their trailing headers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: UPLOAD_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { maxSockets: SOCKETS },
      httpsAgent: { maxSockets: SOCKETS },
    },
  }
}
