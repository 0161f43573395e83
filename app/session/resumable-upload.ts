import { tabStore } from '#app/ui/browser-store.ts'
import { backendHeaders, loadBackend } from './backend.ts'

export interface FileToUpload {
  bucket: string
  /** Where the file is to lie, unless an earlier attempt of this tab began elsewhere. */
  path: string
  content: Blob
  cacheSeconds?: number
  /** Gets the share that has arrived, 0 to 1. */
  onProgress: (share: number) => void
}

/** The server answered, and the answer is no. */
export class UploadRejected extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

class ConnectionLost extends Error {}

const ENDPOINT = '/storage/v1/upload/resumable'
const TUS = { 'tus-resumable': '1.0.0' }
/** Pauses before the next attempt; they start over when an attempt got further. */
const PAUSES_MS = [1000, 2000, 4000, 8000]
/** A connection that moves no bytes for this long counts as lost, although neither side closed it. */
const STALLED_MS = 20_000
/** Another try may succeed: time ran out, the former request still holds the upload, or the server is in trouble. */
const isTemporary = (status: number) => status === 408 || status === 409 || status === 423 || status >= 500

interface Begun {
  location: string
  path: string
}

/**
 * Uploads a file in a way that continues after a lost connection (TUS 1.0) and returns the path it lies at. Waits and tries again while
 * the connection is away; throws ConnectionLost when it stays away, and the next call for the same content continues
 * where this one ended, also after the page was loaded anew.
 */
export async function uploadResumably(file: FileToUpload): Promise<string> {
  const { size } = file.content
  const memory = await memoryOf(file)
  let furthest = -1
  for (let attempt = 0; ; attempt += 1) {
    try {
      const { offset, ...begun } = await findOrBegin(file, memory)
      if (offset > furthest) attempt = 0
      furthest = Math.max(furthest, offset)
      if (offset < size) await sendFrom(offset, file, begun)
      memory.forget()
      return begun.path
    } catch (error) {
      const pauseMs = PAUSES_MS[attempt]
      if (!(error instanceof ConnectionLost) || pauseMs === undefined) throw error
      await pause(pauseMs)
    }
  }
}

async function findOrBegin(file: FileToUpload, memory: Memory): Promise<Begun & { offset: number }> {
  const known = memory.read()
  const offset = known && (await askOffset(known))
  if (known && offset !== null) return { ...known, offset }
  const begun = await begin(file)
  memory.keep(begun)
  return { ...begun, offset: 0 }
}

async function begin({ bucket, path, content, cacheSeconds = 0 }: FileToUpload): Promise<Begun> {
  const metadata = {
    bucketName: bucket,
    objectName: path,
    contentType: content.type,
    ...(cacheSeconds > 0 && { cacheControl: String(cacheSeconds) }),
  }
  const answer = await ask(ENDPOINT, {
    method: 'POST',
    headers: {
      ...TUS,
      ...(await signedInHeaders()),
      'upload-length': String(content.size),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(','),
    },
  })
  const location = answer.headers.get('location')
  if (answer.status !== 201 || !location) throw new UploadRejected(answer.status, await wordsOf(answer))
  return { location, path }
}

/** How many bytes have arrived; null when the upload has expired. */
async function askOffset({ location }: Begun): Promise<number | null> {
  const answer = await ask(location, { method: 'HEAD', headers: { ...TUS, ...(await signedInHeaders()) } })
  if (answer.status === 404 || answer.status === 410) return null
  const offset = answer.headers.get('upload-offset')
  if (!answer.ok || offset === null) throw new UploadRejected(answer.status, '')
  return Number(offset)
}

/** Asked for each request, because a token may be renewed on the way. */
async function signedInHeaders(): Promise<Record<string, string>> {
  const backend = await loadBackend()
  const { data } = await backend.auth.getSession()
  const token = data.session?.access_token
  return { ...backendHeaders(), ...(token && { authorization: `Bearer ${token}` }) }
}

async function ask(address: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(STALLED_MS) }).catch(() => {
    throw new ConnectionLost('The connection broke off.')
  })
  const isTaken = init.method === 'POST' && answer.status === 409
  if (isTemporary(answer.status) && !isTaken) throw new ConnectionLost(`The shop answered ${answer.status}.`)
  return answer
}

/** The rest of the file in one request. Not with `fetch`: that cannot tell how far it has come. */
async function sendFrom(
  offset: number,
  { content, onProgress }: FileToUpload,
  { location }: Begun,
): Promise<void> {
  const given = await signedInHeaders()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const lose = () => reject(new ConnectionLost('The connection broke off.'))
    let stalled = setTimeout(() => request.abort(), STALLED_MS)
    request.open('PATCH', location)
    for (const [name, value] of Object.entries({ ...TUS, ...given })) request.setRequestHeader(name, value)
    request.setRequestHeader('content-type', 'application/offset+octet-stream')
    request.setRequestHeader('upload-offset', String(offset))
    request.upload.addEventListener('progress', ({ loaded }) => {
      clearTimeout(stalled)
      stalled = setTimeout(() => request.abort(), STALLED_MS)
      onProgress((offset + loaded) / content.size)
    })
    request.addEventListener('error', lose)
    request.addEventListener('abort', lose)
    request.addEventListener('loadend', () => clearTimeout(stalled))
    request.addEventListener('load', () => {
      if (request.status < 300) resolve()
      else if (isTemporary(request.status)) lose()
      else reject(new UploadRejected(request.status, request.responseText))
    })
    request.send(content.slice(offset))
  })
}

/** The service answers with a sentence; something between browser and shop might answer with a page. */
async function wordsOf(answer: Response): Promise<string> {
  return answer.headers.get('content-type')?.startsWith('text/plain') ? answer.text() : ''
}

/** Ends early when the browser says that it is connected again. */
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

interface Memory {
  read(): Begun | null
  keep(begun: Begun): void
  forget(): void
}

/** By content: only the very same bytes may be added to what has arrived. Without a hash, for as long as the call lasts. */
async function memoryOf({ bucket, content }: FileToUpload): Promise<Memory> {
  const hash = await hashOf(content)
  let last: Begun | null = null
  if (hash === null)
    return { read: () => last, keep: (begun) => void (last = begun), forget: () => void (last = null) }
  const key = `upload ${bucket} ${hash}`
  return {
    read: () => parseBegun(tabStore().getItem(key)),
    keep: (begun) => tabStore().setItem(key, `${begun.location} ${begun.path}`),
    forget: () => tabStore().removeItem(key),
  }
}

/** Browsers offer it on https and on this machine only. */
async function hashOf(content: Blob): Promise<string | null> {
  if (!globalThis.crypto.subtle) return null
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function parseBegun(text: string | null): Begun | null {
  const [location, path] = text?.split(' ') ?? []
  return location && path ? { location, path } : null
}
