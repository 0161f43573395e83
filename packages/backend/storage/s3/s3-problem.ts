import { addressOfServer, type S3Settings } from './s3-settings.ts'

/** Whether the client library threw the error, not the content that it sent. */
export function isFromServer(error: unknown): error is Error {
  return error instanceof Error && '$metadata' in error
}

/** Whether there was no answer at all. */
export function isUnreachable(error: Error): boolean {
  return statusOf(error) === undefined
}

export function isMissing(error: unknown): boolean {
  return isFromServer(error) && (error.name === 'NoSuchKey' || error.name === 'NotFound')
}

const RIGHTS =
  's3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucketMultipartUploads'

/** Returns a sentence for the operator: what is wrong and what to do. */
export function requestProblem(error: unknown, settings: S3Settings): string {
  const { bucket, region } = settings
  const server = addressOfServer(settings)
  if (!isFromServer(error)) return `the S3 server ${server} cannot be used: ${reasonOf(error)}`
  if (isUnreachable(error)) {
    return `the S3 server ${server} does not answer (${reasonOf(error)}): check S3_ENDPOINT and AWS_REGION, and that this machine may connect to it`
  }
  switch (error.name) {
    case 'NoSuchBucket':
      return `the bucket ${bucket} does not exist on the S3 server ${server}: create it, or correct S3_BUCKET`
    case 'InvalidAccessKeyId':
      return `the S3 server ${server} does not know the access key: check AWS_ACCESS_KEY_ID`
    case 'SignatureDoesNotMatch':
      return `the S3 server ${server} refuses the signature: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION`
    case 'ExpiredToken':
    case 'InvalidToken':
      return `the S3 server ${server} refuses the session token: renew or unset AWS_SESSION_TOKEN (${error.message})`
    case 'RequestTimeTooSkewed':
      return `this machine's clock differs too much from that of the S3 server ${server}: set it, for example by timedatectl set-ntp true`
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return `the bucket ${bucket} is not in the region ${region}: correct AWS_REGION, or S3_ENDPOINT (${error.message})`
    case 'AccessDenied':
      return `the access key may not use the bucket ${bucket}: give it the rights ${RIGHTS}`
    default:
      return `the S3 server ${server} refuses the bucket ${bucket} with ${error.name} (status ${String(statusOf(error))}): check S3_ENDPOINT, S3_BUCKET and S3_FORCE_PATH_STYLE`
  }
}

function statusOf(error: Error): unknown {
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? metadata.httpStatusCode
    : undefined
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A host with several addresses fails with an error for each.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const { code, name, message } = first
  return String(code ?? (message || name))
}
