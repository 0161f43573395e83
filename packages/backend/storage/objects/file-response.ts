import type { Context } from 'hono'

import type { ByteRange, FileStore } from '../files/file-store.ts'
import { StorageError } from '../errors.ts'
import { parseRange } from './byte-range.ts'

export interface ServedFile {
  key: string
  size: number
  eTag: string
  contentType: string
  cacheControl: string
  lastModified: Date
  /** The content, when it could not be stored. */
  bytes?: Uint8Array<ArrayBuffer>
}

/** Returns the ETag of a file that was made from an object; the file's key identifies how. Caches must not take one for the other. */
export function derivativeTag(eTag: string, key: string): string {
  return `"${eTag.replaceAll('"', '')}-${key.slice(key.lastIndexOf('/') + 1)}"`
}

/** Answers GET and HEAD with conditional requests, ranges and `?download` (RFC 9110). */
export async function fileResponse(files: FileStore, c: Context, file: ServedFile): Promise<Response> {
  const headers = headersOf(file)
  if (isUnchanged(c, file)) return new Response(null, { status: 304, headers })

  const range = rangeApplies(c, file) ? parseRange(c.req.header('range'), file.size) : null
  if (range === 'unsatisfiable') throw new StorageError('InvalidRange')

  const disposition = contentDisposition(c.req.query('download'), c.req.path)
  if (disposition) headers.set('Content-Disposition', disposition)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : file.size))
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)

  const isEmpty = c.req.method === 'HEAD' || file.size === 0
  const body = isEmpty ? null : await contentOf(files, file, range ?? undefined)
  return new Response(body, { status: range ? 206 : 200, headers })
}

async function contentOf(files: FileStore, { key, bytes }: ServedFile, range?: ByteRange) {
  if (!bytes) return files.read(key, range)
  return range ? bytes.subarray(range.start, range.end + 1) : bytes
}

function headersOf(file: ServedFile): Headers {
  return new Headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': file.cacheControl,
    'Content-Type': safeContentType(file.contentType),
    // The shop's pages share this origin: without the sandbox, an uploaded file could run scripts as the shop.
    'Content-Security-Policy':
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    ETag: file.eTag,
    'Last-Modified': file.lastModified.toUTCString(),
    'X-Content-Type-Options': 'nosniff',
  })
}

/** Serves markup other than SVG as plain text, like the hosted product. */
function safeContentType(contentType: string): string {
  const isMarkup = /html|xml/i.test(contentType) && !contentType.startsWith('image/svg+xml')
  return isMarkup ? 'text/plain; charset=utf-8' : contentType
}

function isUnchanged(c: Context, file: ServedFile): boolean {
  const known = c.req.header('if-none-match')
  if (known !== undefined) {
    return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === file.eTag)
  }
  const since = Date.parse(c.req.header('if-modified-since') ?? '')
  return Math.floor(file.lastModified.getTime() / 1000) * 1000 <= since
}

/** RFC 9110 §13.1.5: a range of another version would corrupt the client's partial copy. */
function rangeApplies(c: Context, file: ServedFile): boolean {
  const condition = c.req.header('if-range')
  return (
    condition === undefined ||
    condition === file.eTag ||
    Date.parse(condition) === Math.floor(file.lastModified.getTime() / 1000) * 1000
  )
}

function contentDisposition(download: string | undefined, path: string): string | null {
  if (download === undefined) return null
  const name = download === '' ? decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)) : download
  return `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')}`
}
