import type { ShopClient } from '#database'
import { loadBackend } from '#app/session/backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import type { GalleryFields } from '#domain/validation/gallery.ts'

export interface Photo {
  id: string
  name: string
  content: Blob
  /** For the thumbnail beside its name. */
  previewUrl: string
  /** Its public address once it is uploaded: a second try does not send it again. */
  sentTo?: string
}

export interface Catch {
  words: GalleryFields
  photos: Photo[]
  lure: { productId: string | null; variantId: string | null }
}

/** The form was open for so long that photos of an earlier try are no longer there. */
export class PhotosForgotten extends Error {}

interface Watching {
  /** Gets the share of a photo that has arrived, 0 to 1. */
  onProgress: (share: number) => void
  onUploaded: (photo: Photo, address: string) => void
}

/** Uploads what is not yet there, then hands in the submission; throws when either is not kept. */
export async function sendCatch(
  { words, photos, lure }: Catch,
  { onProgress, onUploaded }: Watching,
): Promise<void> {
  const client = await loadBackend()
  const addresses: string[] = []
  for (const photo of photos) {
    const address = photo.sentTo ?? (await upload(client, photo, onProgress))
    onUploaded(photo, address)
    addresses.push(address)
  }

  const { data, error } = await client
    .from('gallery_submissions')
    .insert({
      customer_name: words.name,
      email: words.email || null,
      description: words.description,
      image_url: addresses[0] ?? '',
      image_urls: addresses,
      status: 'pending',
      product_id: lure.productId,
      variant_id: lure.variantId,
    })
    .select('id')
    .single()
  // The answer to an earlier try was lost on the way; the submission was not.
  if (isBackendError(error) && error.details === 'photo_already_sent') return
  if (isBackendError(error) && error.details === 'unknown_photo') throw new PhotosForgotten(error.message)
  if (error) throw error
  await notify(client, { words, imageUrl: addresses[0], submissionId: data.id })
}

/** Fetched when the first photo is chosen: without a connection, when it is needed, it would come too late. */
export const loadUploads = () => import('#app/session/resumable-upload.ts')

async function upload(
  client: ShopClient,
  { name, content }: Photo,
  onProgress: (share: number) => void,
): Promise<string> {
  const { uploadResumably } = await loadUploads()
  const path = await uploadResumably({
    bucket: 'gallery',
    path: `${crypto.randomUUID()}-${Date.now()}.${extensionOf(name, content)}`,
    content,
    onProgress,
  })
  return client.storage.from('gallery').getPublicUrl(path).data.publicUrl
}

/** The original's, unless the photo had to be turned into another kind of file. */
function extensionOf(name: string, content: Blob): string {
  const original = content instanceof File ? /\.([a-z0-9]{2,5})$/i.exec(name)?.[1] : null
  return original?.toLowerCase() ?? content.type.slice('image/'.length)
}

interface Notice {
  words: GalleryFields
  imageUrl: string | undefined
  submissionId: string
}

/** The mail is queued with the row; a lost notice is no reason to ask for the photos again. */
async function notify(client: ShopClient, { words, imageUrl, submissionId }: Notice): Promise<void> {
  const { error } = await client.functions.invoke('send-gallery-notification', {
    body: {
      customerName: words.name,
      email: words.email || null,
      description: words.description,
      imageUrl,
      submissionId,
    },
  })
  if (error) console.error('the shop was not told of the photos', error)
}
