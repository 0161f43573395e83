import type { PreparedPicture } from './prepare-picture.ts'

const BUCKET = 'catalogue'
const YEAR_SECONDS = 365 * 24 * 3600

/**
 * Uploads a picture as the signed-in admin and returns its address. Every upload gets a random name, so that an address can be cached
 * forever. Throws an Error whose message is for the admin.
 */
export async function uploadPicture(
  { content, extension }: PreparedPicture,
  onProgress: (share: number) => void,
): Promise<string> {
  const { uploadResumably, UploadRejected } = await import('#app/data/resumable-upload.ts')
  try {
    const path = await uploadResumably({
      bucket: BUCKET,
      path: `uploads/${crypto.randomUUID()}.${extension}`,
      content,
      cacheSeconds: YEAR_SECONDS,
      onProgress,
    })
    return `/storage/v1/object/public/${BUCKET}/${path}`
  } catch (error) {
    throw error instanceof UploadRejected ? new Error(uploadErrorText(error), { cause: error }) : error
  }
}

function uploadErrorText({ status, message }: { status: number; message: string }): string {
  if (status === 413) return 'Pictures can have at most 15 MB.'
  if (status === 403) return 'Only an admin can upload pictures.'
  return message || `The shop returned an error (${status}).`
}
