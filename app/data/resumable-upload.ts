import { tabStore } from '#app/ui/browser-store.ts'
import { fetchAsUser, signedInHeaders } from './backend.ts'

export interface FileToUpload {
  bucket: string
  /** Ignored when this tab resumes an earlier attempt with another path. */
  path: string
  content: Blob
  cacheSeconds?: number
  /** Called with the uploaded share, 0 to 1. */
  onProgress: (share: number) => void
}

/** The server rejected the upload; a retry would fail as well. */
export class UploadRejected extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

class ConnectionLost extends Error {
  constructor(message = 'The connection was lost.') {
    super(message)
  }
}

function rejectAsLost(): never {
  throw new ConnectionLost()
}

const ENDPOINT = '/storage/v1/upload/resumable'
const TUS = { 'tus-resumable': '1.0.0' }
/** Backoff between attempts; it starts over after an attempt that made progress. */
const PAUSES_MS = [1000, 2000, 4000, 8000]
/** A connection that transfers nothing for this long counts as lost, although neither side closed it. */
const STALLED_MS = 20_000
const FULL_DISK = 507
/** A retry may succeed: timeout, the previous request still holds the lock, or a server error. A full disk stays full for longer. */
const isTemporary = (status: number) =>
  status === 408 || status === 409 || status === 423 || (status >= 500 && status !== FULL_DISK)

interface StartedUpload {
  location: string
  path: string
}

/**
 * Uploads a file with the TUS 1.0 protocol and returns its storage path. Retries while the connection is lost and throws
 * ConnectionLost when the retries are used up. The next call for the same content resumes, also after a reload.
 */
export async function uploadResumably(file: FileToUpload): Promise<string> {
  const { size } = file.content
  const store = await uploadStoreFor(file)
  let furthest = -1
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { offset, ...started } = await resumeOrStart(file, store)
      if (offset > furthest) attempt = 0
      furthest = Math.max(furthest, offset)
      if (offset < size) await sendFrom(offset, file, started)
      store.delete()
      return started.path
    } catch (error) {
      const pauseMs = PAUSES_MS[attempt]
      if (!(error instanceof ConnectionLost) || pauseMs === undefined) throw error
      await pause(pauseMs)
    }
  }
}

async function resumeOrStart(
  file: FileToUpload,
  store: UploadStore,
): Promise<StartedUpload & { offset: number }> {
  const known = store.read()
  const offset = known && (await fetchOffset(known))
  if (known && offset !== null) return { ...known, offset }
  const started = await startUpload(file)
  store.save(started)
  return { ...started, offset: 0 }
}

async function startUpload({
  bucket,
  path,
  content,
  cacheSeconds = 0,
}: FileToUpload): Promise<StartedUpload> {
  const metadata = {
    bucketName: bucket,
    objectName: path,
    contentType: content.type,
    ...(cacheSeconds > 0 && { cacheControl: String(cacheSeconds) }),
  }
  const response = await sendRequest(ENDPOINT, {
    method: 'POST',
    headers: {
      ...TUS,
      'upload-length': String(content.size),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(','),
    },
  })
  const location = response.headers.get('location')
  if (response.status !== 201 || !location)
    throw new UploadRejected(response.status, await errorText(response))
  return { location, path }
}

/** Returns the number of bytes that the server has; `null` for an expired upload. */
async function fetchOffset({ location }: StartedUpload): Promise<number | null> {
  const response = await sendRequest(location, { method: 'HEAD', headers: TUS })
  if (response.status === 404 || response.status === 410) return null
  const offset = response.headers.get('upload-offset')
  if (!response.ok || offset === null) throw new UploadRejected(response.status, '')
  return Number(offset)
}

async function sendRequest(address: string, init: Parameters<typeof fetchAsUser>[1]): Promise<Response> {
  const signal = AbortSignal.timeout(STALLED_MS)
  const response = await fetchAsUser(address, { ...init, signal }).catch(rejectAsLost)
  const isTaken = init?.method === 'POST' && response.status === 409
  if (isTemporary(response.status) && !isTaken)
    throw new ConnectionLost(`The shop returned status ${response.status}.`)
  return response
}

/** Sends the rest of the file in one request. Uses XMLHttpRequest, because `fetch` reports no upload progress. */
async function sendFrom(
  offset: number,
  { content, onProgress }: FileToUpload,
  { location }: StartedUpload,
): Promise<void> {
  // Throws while the session cannot be refreshed.
  const authHeaders = await signedInHeaders().catch(rejectAsLost)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const loseConnection = () => reject(new ConnectionLost())
    let stalled = setTimeout(() => request.abort(), STALLED_MS)
    request.open('PATCH', location)
    for (const [name, value] of Object.entries({ ...TUS, ...authHeaders }))
      request.setRequestHeader(name, value)
    request.setRequestHeader('content-type', 'application/offset+octet-stream')
    request.setRequestHeader('upload-offset', String(offset))
    request.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), STALLED_MS)
      onProgress((offset + loaded) / content.size)
    })
    request.addEventListener('error', loseConnection)
    request.addEventListener('abort', loseConnection)
    request.addEventListener('loadend', () => clearTimeout(stalled))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve()
      else if (isTemporary(request.status)) loseConnection()
      else reject(new UploadRejected(request.status, request.responseText))
    })
    request.send(content.slice(offset))
  })
}

/** The storage service sends plain text, the shop's limits JSON; an HTML page comes from a proxy in between. */
async function errorText(response: Response): Promise<string> {
  const type = response.headers.get('content-type')
  if (type?.startsWith('application/json')) {
    const { message = '' }: { message?: string } = await response.json()
    return message
  }
  return type?.startsWith('text/plain') ? response.text() : ''
}

/** Ends early when the browser is online again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
  })
}

interface UploadStore {
  read(): StartedUpload | null
  save(started: StartedUpload): void
  delete(): void
}

/** Keyed by content hash: only identical bytes may be appended. Without a hash, the upload is remembered for this call only. */
async function uploadStoreFor({ bucket, content }: FileToUpload): Promise<UploadStore> {
  const hash = await sha256Of(content)
  let last: StartedUpload | null = null
  if (hash === null)
    return { read: () => last, save: (started) => void (last = started), delete: () => void (last = null) }
  const key = `upload ${bucket} ${hash}`
  return {
    read: () => parseStarted(tabStore().getItem(key)),
    save: (started) => tabStore().setItem(key, `${started.location} ${started.path}`),
    delete: () => tabStore().removeItem(key),
  }
}

/** Browsers offer `crypto.subtle` in secure contexts only. */
async function sha256Of(content: Blob): Promise<string | null> {
  if (!globalThis.crypto.subtle) return null
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function parseStarted(text: string | null): StartedUpload | null {
  const [location, path] = text?.split(' ') ?? []
  return location && path ? { location, path } : null
}
