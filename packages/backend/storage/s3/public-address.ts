import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

import type { FileStore } from '../files/file-store.ts'
import { derivativesRoot } from '../objects/object-row.ts'
import type { Bucket } from './bucket.ts'
import { addressOfBucket } from './s3-settings.ts'

const HOUR_S = 3600
/** All addresses of this period are equal, so that browsers and caches recognise the file. */
const SIGNING_PERIOD_MS = 12 * HOUR_S * 1000
const SIGNED_FOR_S = 24 * HOUR_S

/** Only this folder holds nothing but derivatives of public files: without place, time and camera, and with a safe type. */
const PUBLIC_FOLDER = `${derivativesRoot({ isPublic: true })}/`

export function publicAddressOf({ client, settings }: Bucket): FileStore['publicAddress'] {
  const { bucket, publicFiles } = settings
  if (publicFiles === 'proxy') return async () => null
  const address = addressOfBucket(settings)
  return async (key) => {
    if (!key.startsWith(PUBLIC_FOLDER)) return null
    if (publicFiles === 'redirect') return { url: `${address}/${key}`, maxAgeSeconds: HOUR_S }
    const now = Date.now()
    const url = await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), {
      expiresIn: SIGNED_FOR_S,
      signingDate: new Date(now - (now % SIGNING_PERIOD_MS)),
    })
    return { url, maxAgeSeconds: HOUR_S }
  }
}
