import { backendError } from '#app/data/backend-error.ts'
import { callFunction, queryBackend } from '#app/data/query-backend.ts'
import type { GalleryFields } from '#domain/validation/gallery.ts'

export interface Photo {
  id: string
  name: string
  content: Blob
  previewUrl: string
  /** The public URL once uploaded, so that a retry does not upload it again. */
  uploadedUrl?: string
  /** The content of the submission that named this upload, if any. */
  submittedAs?: string
}

export interface CatchSubmission {
  fields: GalleryFields
  photos: Photo[]
  lure: { productId: string | null; variantId: string | null }
}

/** The server has deleted photos of an earlier attempt, because the form was open for too long. */
export class PhotosExpiredError extends Error {}

interface UploadCallbacks {
  /** Receives the uploaded share of the current photo, 0 to 1. */
  onProgress: (share: number) => void
  onUploaded: (photo: Photo, address: string) => void
  /** Runs before the submission is sent, with its content. */
  onSubmit: (content: string) => void
}

/** Uploads the remaining photos, then saves the submission. Throws when either fails. */
export async function sendCatch(
  { fields, photos, lure }: CatchSubmission,
  { onProgress, onUploaded, onSubmit }: UploadCallbacks,
): Promise<void> {
  const content = JSON.stringify([fields, lure, photos.map(({ id }) => id)])
  const addresses: string[] = []
  for (const photo of photos) {
    const address = earlierUpload(content, photo) ?? (await upload(photo, onProgress))
    onUploaded(photo, address)
    addresses.push(address)
  }

  const submission = {
    customer_name: fields.name,
    email: fields.email || null,
    description: fields.description,
    image_url: addresses[0] ?? '',
    image_urls: addresses,
    status: 'pending' as const,
    product_id: lure.productId,
    variant_id: lure.variantId,
  }
  onSubmit(content)
  try {
    const { id } = await queryBackend((backend) =>
      backend.from('gallery_submissions').insert(submission).select('id').single(),
    )
    await notify({ fields, imageUrl: addresses[0], submissionId: id })
  } catch (error) {
    // An earlier attempt has saved the submission, but its response was lost.
    if (backendError(error, 'photo_already_sent')) return
    const expired = backendError(error, 'unknown_photo')
    throw expired ? new PhotosExpiredError(expired.message) : error
  }
}

/**
 * Returns the URL of an earlier upload. The shop accepts it once, so it identifies the submission: with other content it would count
 * as already sent, and the shop would keep the earlier content.
 */
function earlierUpload(content: string, { uploadedUrl, submittedAs = content }: Photo): string | undefined {
  return submittedAs === content ? uploadedUrl : undefined
}

/** Call when the first photo is chosen: loading it later could fail when the connection drops. */
export const loadUploads = () => import('#app/data/resumable-upload.ts')

async function upload({ name, content }: Photo, onProgress: (share: number) => void): Promise<string> {
  const { uploadResumably } = await loadUploads()
  const path = await uploadResumably({
    bucket: 'gallery',
    path: `${crypto.randomUUID()}-${Date.now()}.${extensionOf(name, content)}`,
    content,
    onProgress,
  })
  return `${location.origin}/storage/v1/object/public/gallery/${path}`
}

/** Returns the original's extension, unless the photo was converted. */
function extensionOf(name: string, content: Blob): string {
  const original = content instanceof File ? /\.([a-z0-9]{2,5})$/i.exec(name)?.[1] : null
  return original?.toLowerCase() ?? content.type.slice('image/'.length)
}

interface CatchNotification {
  fields: GalleryFields
  imageUrl: string | undefined
  submissionId: string
}

/** The database queues the e-mail with the row, so a failure is only logged. */
async function notify({ fields, imageUrl, submissionId }: CatchNotification): Promise<void> {
  await callFunction('send-gallery-notification', {
    customerName: fields.name,
    email: fields.email || null,
    description: fields.description,
    imageUrl,
    submissionId,
  }).catch((error: unknown) => console.error('the shop was not notified of the photos', error))
}
