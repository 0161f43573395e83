import { z } from 'zod'

import { InvalidSettings } from '#backend/process/invalid-settings.ts'
import type { S3Settings } from './s3-settings.ts'

const webAddress = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe('a web address')

/** The settings' names are those of other programs for S3. A description follows "must be" in a message. */
export const s3Options = {
  S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/)
    .optional()
    .describe('the name of a bucket'),
  S3_ENDPOINT: webAddress,
  AWS_ENDPOINT_URL_S3: webAddress,
  AWS_REGION: z
    .string()
    .regex(/^[a-z\d-]+$/)
    .optional()
    .describe('a region like af-south-1'),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('an access key'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('a secret key'),
  AWS_SESSION_TOKEN: z.string().optional().describe('a session token'),
  S3_FORCE_PATH_STYLE: z.stringbool().optional().describe('true or false'),
  S3_PUBLIC_FILES: z.enum(['proxy', 'redirect', 'signed']).optional().describe('proxy, redirect or signed'),
  S3_PUBLIC_URL: webAddress,
}

type S3Options = z.infer<z.ZodObject<typeof s3Options>>

/** The server's settings; those of Amazon's other programs may be set for other reasons. */
const NEEDS_BUCKET = ['S3_ENDPOINT', 'S3_FORCE_PATH_STYLE', 'S3_PUBLIC_FILES', 'S3_PUBLIC_URL'] as const

/** Returns null without a bucket. Throws InvalidSettings when settings are missing. */
export function readS3Settings(options: S3Options): S3Settings | null {
  const {
    S3_BUCKET: bucket,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = options
  if (!bucket) {
    const [lonely] = NEEDS_BUCKET.filter((name) => options[name] !== undefined)
    if (!lonely) return null
    throw new InvalidSettings(`${lonely} is set, but S3_BUCKET is not: name the bucket, or unset ${lonely}`)
  }
  const endpoint = options.S3_ENDPOINT ?? options.AWS_ENDPOINT_URL_S3 ?? null
  const region = options.AWS_REGION ?? (endpoint && 'us-east-1')
  if (!accessKeyId || !secretAccessKey || !region) {
    const needed = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: region,
    }
    const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : name))
    throw new InvalidSettings(`S3_BUCKET needs ${missing.join(' and ')} as well`)
  }
  const publicFiles = options.S3_PUBLIC_FILES ?? 'proxy'
  if (options.S3_PUBLIC_URL && publicFiles !== 'redirect') {
    throw new InvalidSettings(`S3_PUBLIC_URL needs S3_PUBLIC_FILES=redirect, not "${publicFiles}"`)
  }
  return {
    bucket,
    region,
    endpoint,
    // Few servers other than Amazon's have a host name for each bucket.
    usesPathStyle: options.S3_FORCE_PATH_STYLE ?? endpoint !== null,
    accessKeyId,
    secretAccessKey,
    sessionToken,
    publicFiles,
    publicUrl: options.S3_PUBLIC_URL ?? null,
  }
}
