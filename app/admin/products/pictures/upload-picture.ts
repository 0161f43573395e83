import { backendHeaders, loadBackend } from '#app/session/backend.ts'
import type { PreparedPicture } from './prepare-picture.ts'

const BUCKET = 'catalogue'

/**
 * Puts a picture into the shop's storage as whoever is signed in and returns its address. Not with the official client: that cannot
 * tell how far an upload has come. The name is drawn anew each time, so an address never shows anything else.
 */
export async function uploadPicture(
  { content, extension }: PreparedPicture,
  onProgress: (share: number) => void,
): Promise<string> {
  const path = `${BUCKET}/uploads/${crypto.randomUUID()}.${extension}`
  const backend = await loadBackend()
  const { data } = await backend.auth.getSession()
  await send(content, {
    address: `/storage/v1/object/${path}`,
    headers: {
      ...backendHeaders(),
      authorization: `Bearer ${data.session?.access_token ?? ''}`,
      'content-type': content.type,
      'cache-control': 'max-age=31536000',
    },
    onProgress,
  })
  return `/storage/v1/object/public/${path}`
}

interface Sending {
  address: string
  headers: Record<string, string>
  onProgress: (share: number) => void
}

function send(content: Blob, { address, headers, onProgress }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    )
    request.addEventListener('load', () =>
      request.status < 300 ? resolve() : reject(new Error(refusalText(request))),
    )
    request.addEventListener('error', () => reject(new Error('The connection broke off.')))
    request.send(content)
  })
}

function refusalText({ status, responseText }: XMLHttpRequest): string {
  if (status === 413) return 'The shop takes pictures of up to 15 MB.'
  if (status === 403) return 'Only an admin may do this.'
  try {
    const answer: unknown = JSON.parse(responseText)
    if (typeof answer === 'object' && answer !== null && 'message' in answer) return String(answer.message)
  } catch {
    // Something between browser and shop has answered; its words help nobody.
  }
  return `The shop answered with an error (${status}).`
}
