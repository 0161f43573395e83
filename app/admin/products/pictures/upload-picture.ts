import type { PreparedPicture } from './prepare-picture.ts'

const BUCKET = 'catalogue'
const YEAR_SECONDS = 365 * 24 * 3600

/**
 * Puts a picture into the shop's storage, as the signed-in admin, and returns its address. The name is drawn anew for each
 * picture, so an address never shows anything else.
 */
export async function uploadPicture(
  { content, extension }: PreparedPicture,
  onProgress: (share: number) => void,
): Promise<string> {
  const { uploadResumably, UploadRejected } = await import('#app/session/resumable-upload.ts')
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
    throw error instanceof UploadRejected ? new Error(refusalText(error), { cause: error }) : error
  }
}

function refusalText({ status, message }: { status: number; message: string }): string {
  if (status === 413) return 'The shop takes pictures of up to 15 MB.'
  if (status === 403) return 'Only an admin may do this.'
  return message || `The shop answered with an error (${status}).`
}
