import { once } from 'node:events'
import { createServer, request, type ClientRequest } from 'node:http'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { Hono } from 'hono'

import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { allowOrigins } from '#backend/http/cors.ts'
import { connectionOf, type EdgeVariables, findRemoteAddress } from '#backend/http/edge.ts'
import { listenerFor } from '#backend/process/listener.ts'
import { openTestFiles } from '#backend/testing/files.ts'
import { openAuth, type TestAuth } from '#backend/testing/auth.ts'
import type { FileStore } from '../../files/file-store.ts'
import { createStorage, type StorageOptions } from '../../create-storage.ts'

interface StorageUser {
  client: SupabaseClient
  id: string
  /** Headers that authenticate a request as this person. */
  headers: Record<string, string>
}

export interface TusService {
  auth: TestAuth
  /** `http://127.0.0.1:<port>/storage/v1/upload/resumable` */
  endpoint: string
  files: FileStore
  /** Errors that the service logged. */
  failures: object[]
  visitor: Record<string, string>
  secret: Record<string, string>
  angler(): Promise<StorageUser>
  /** A client with the secret key. */
  service: SupabaseClient
  /** Replaces the service by a new one with the same database and files, without shared memory. */
  restart(): void
  /** Removes all unfinished uploads. */
  clear(): Promise<void>
  /** Returns the number of stored bytes of all unfinished uploads. */
  unfinishedBytes(): Promise<number>
  close(): Promise<void>
}

/** Starts storage, auth and CORS behind a real web server. */
export async function openTusService(options: Partial<StorageOptions> = {}): Promise<TusService> {
  const auth = await openAuth()
  const stored = await openTestFiles()
  const { files } = stored
  const failures: object[] = []
  const { database, keys } = auth

  function createApp() {
    const log = { error: (fields: object) => void failures.push(fields) }
    const verifyToken = createTokenVerifier(database.owner)
    return new Hono<{ Variables: EdgeVariables }>()
      .use(findRemoteAddress({ trustProxy: 1 }))
      .use('*', allowOrigins({ ownOptions: '/storage/v1/upload/resumable' }))
      .route('/storage/v1', createStorage({ database, files, keys, verifyToken, log, ...options }))
      .route('/', auth.anotherProcess())
  }
  let app = createApp()
  const listener = listenerFor((asked, { incoming }) => app.fetch(asked, connectionOf(incoming)))
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

  const clientWith = (key: string) =>
    createClient(origin, key, { auth: { persistSession: false, autoRefreshToken: false } })

  let people = 0
  return {
    auth,
    endpoint: `${origin}/storage/v1/upload/resumable`,
    files,
    failures,
    visitor: { apikey: keys.publishable },
    secret: { authorization: `Bearer ${keys.secret}` },
    service: clientWith(keys.secret),
    async angler() {
      people += 1
      const client = clientWith(keys.publishable)
      const email = `angler${people}@example.com`
      const { data, error } = await client.auth.signUp({ email, password: 'salt-water-42' })
      if (error) throw error
      const headers = { authorization: `Bearer ${data.session?.access_token}` }
      return { client, id: data.user?.id ?? '', headers }
    },
    restart() {
      app = createApp()
    },
    async clear() {
      await database.owner.query('delete from storage.resumable_uploads')
      await files.removeFolder('resumable')
    },
    async unfinishedBytes() {
      const ids = new Set((await Array.fromAsync(files.partial.list())).map(({ id }) => id))
      const sizes = await Promise.all(Array.from(ids, (id) => files.partial.size(id)))
      return sizes.reduce((sum, size) => sum + size, 0)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await auth.close()
      await stored.close()
    },
  }
}

/** For `vi.waitFor`: an S3 server receives bytes at latest a second after they arrived. */
export const STORED = { timeout: 30_000 }

export const TUS = { 'tus-resumable': '1.0.0' }
export const PART = { ...TUS, 'content-type': 'application/offset+octet-stream' }

/** Returns an `Upload-Metadata` header. */
export function metadataHeader(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

export interface StartUpload {
  headers: Record<string, string>
  bucket: string
  path: string
  size: number
  more?: Record<string, string>
  body?: Buffer
}

export function startUpload(
  endpoint: string,
  { headers, bucket, path, size, more, body }: StartUpload,
): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      ...TUS,
      ...headers,
      'upload-length': String(size),
      'upload-metadata': metadataHeader({ bucketName: bucket, objectName: path, ...more }),
      ...(body && PART),
    },
    ...(body && { body: new Uint8Array(body) }),
  })
}

/** Returns the URL of a created upload. */
export function uploadUrlOf(endpoint: string, answer: Response): string {
  const location = answer.headers.get('location')
  if (answer.status !== 201 || !location)
    throw new Error(`Creating an upload failed with status ${answer.status}`)
  return new URL(location, endpoint).href
}

export interface PartToSend {
  headers: Record<string, string>
  offset: number
  body: Buffer
}

export function sendPart(location: string, { headers, offset, body }: PartToSend): Promise<Response> {
  return fetch(location, {
    method: 'PATCH',
    headers: { ...PART, ...headers, 'upload-offset': String(offset) },
    body: new Uint8Array(body),
  })
}

export async function offsetOf(location: string, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(location, { method: 'HEAD', headers: { ...TUS, ...headers } })
  if (answer.status !== 200) throw new Error(`HEAD failed with status ${answer.status}`)
  return Number(answer.headers.get('upload-offset'))
}

/** Starts a PATCH that announces `announced` bytes and stays open after `body`. */
export function openPart(
  location: string,
  { headers, offset, body }: PartToSend,
  announced: number,
): ClientRequest {
  const sending = request(location, {
    method: 'PATCH',
    headers: { ...PART, ...headers, 'upload-offset': offset, 'content-length': announced },
  })
  sending.on('error', () => undefined)
  sending.write(body)
  return sending
}
