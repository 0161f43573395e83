export interface S3Settings {
  bucket: string
  region: string
  /** Origin of the server; null for Amazon's own. */
  endpoint: string | null
  /** Whether the bucket is the first part of the path instead of the host name. */
  usesPathStyle: boolean
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary credentials. */
  sessionToken?: string | undefined
  /** Whether this process sends public pictures itself, or refers to the bucket, by plain or by signed addresses. */
  publicFiles: 'proxy' | 'redirect' | 'signed'
  /** Address of the bucket, or of a CDN in front of it, for `redirect`; null for the server's own. */
  publicUrl: string | null
}

/** Returns the address of the bucket for clients. */
export function addressOfBucket({ bucket, endpoint, region, usesPathStyle, publicUrl }: S3Settings): string {
  if (publicUrl) return publicUrl.replace(/\/+$/, '')
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (usesPathStyle) url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket}`
  else url.hostname = `${bucket}.${url.hostname}`
  return url.href.replace(/\/$/, '')
}

/** Returns the origin of the server for messages. */
export function addressOfServer({ endpoint, region }: S3Settings): string {
  return endpoint ?? `https://s3.${region}.amazonaws.com`
}
