import type { Context } from 'hono'

import type { Disk } from '../disk/disk.ts'
import { StorageError } from '../errors.ts'
import { parseRange } from './byte-range.ts'

export interface FileToAnswer {
  key: string
  size: number
  eTag: string
  contentType: string
  cacheControl: string
  lastModified: Date
}

/** GET and HEAD of a file: conditional, in ranges, as a download. */
export function answerFile(disk: Disk, c: Context, file: FileToAnswer): Response {
  const headers = headersOf(file)
  if (isUnchanged(c, file)) return new Response(null, { status: 304, headers })

  const range = wantsRange(c, file) ? parseRange(c.req.header('range'), file.size) : null
  if (range === 'unsatisfiable') throw new StorageError('InvalidRange')

  const disposition = contentDisposition(c.req.query('download'), c.req.path)
  if (disposition) headers.set('Content-Disposition', disposition)
  headers.set('Content-Length', String(range ? range.end - range.start + 1 : file.size))
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)

  const body = c.req.method === 'HEAD' || file.size === 0 ? null : disk.read(file.key, range ?? undefined)
  return new Response(body, { status: range ? 206 : 200, headers })
}

function headersOf(file: FileToAnswer): Headers {
  return new Headers({
    'Accept-Ranges': 'bytes',
    'Cache-Control': file.cacheControl,
    'Content-Type': harmless(file.contentType),
    // The shop's pages share this origin: a file that somebody uploaded may not run as one of them.
    'Content-Security-Policy':
      "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox",
    ETag: file.eTag,
    'Last-Modified': file.lastModified.toUTCString(),
    'X-Content-Type-Options': 'nosniff',
  })
}

/** As on the hosted product: markup is shown as text, save pictures. */
function harmless(contentType: string): string {
  const isMarkup = /html|xml/i.test(contentType) && !contentType.startsWith('image/svg+xml')
  return isMarkup ? 'text/plain; charset=utf-8' : contentType
}

function isUnchanged(c: Context, file: FileToAnswer): boolean {
  const known = c.req.header('if-none-match')
  if (known !== undefined) {
    return known.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === file.eTag)
  }
  const since = Date.parse(c.req.header('if-modified-since') ?? '')
  return Math.floor(file.lastModified.getTime() / 1000) * 1000 <= since
}

/** A range of another version than the client already has a part of would be stitched into rubbish. */
function wantsRange(c: Context, file: FileToAnswer): boolean {
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
