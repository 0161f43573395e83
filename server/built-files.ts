import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { join, sep } from 'node:path'
import { getMimeType } from 'hono/utils/mime'
import { FONTS_PATH } from '#domain/brand.ts'
import { type Compressed, RenderedPage } from './pages/rendered-page.ts'

/** Sends the file at the request's address. Returns false, and sends nothing, when there is none. */
export type SendFile = (request: IncomingMessage, response: ServerResponse) => boolean

/** Suffixes of what the build has compressed. */
const COMPRESSED: [Compressed, suffix: string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
]

/**
 * Serves the build's files for browsers, and the fonts at stable addresses for pages outside the build: the payment simulator and the
 * pages that e-mails link to. Reads the names once and each file at its first request, 5 MB in all: the disk would cost most of the time.
 */
export function serveBuiltFiles(projectFolder: string): SendFile {
  const paths = new Map([
    ...filesBelow(join(projectFolder, 'build/client'), ''),
    ...filesBelow(join(projectFolder, 'assets/fonts'), FONTS_PATH).filter(([address]) =>
      address.endsWith('.woff2'),
    ),
  ])
  const files = new Map<string, RenderedPage>()

  return ({ method, url = '/', headers }, response) => {
    const [address = url] = url.split('?', 1)
    const path = paths.get(address)
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return false
    const file = files.get(address) ?? readBuiltFile(address, path)
    // A new build has replaced it.
    if (!file) return false
    files.set(address, file)
    send(file, { isHead: method === 'HEAD', headers }, response)
    return true
  }
}

function send(
  file: RenderedPage,
  { isHead, headers }: { isHead: boolean; headers: IncomingHttpHeaders },
  response: ServerResponse,
): void {
  if (file.matchesETag(headers['if-none-match'])) {
    response.writeHead(304, file.notModifiedHeaders()).end()
    return
  }
  const accepted = file.encodingFor(headers['accept-encoding'])
  // Pictures and fonts are compressed by their format.
  const encoding = file.encodedBody(accepted) ? accepted : 'identity'
  const body = file.encodedBody(encoding) ?? Buffer.alloc(0)
  const fields = file.fieldsFor(encoding, () =>
    Object.entries(file.headersFor(encoding, body.byteLength)).flat(),
  )
  response.writeHead(200, fields).end(isHead ? undefined : body)
}

/** The addresses of a folder's files, with their paths on the disk. */
function filesBelow(folder: string, prefix: string): [address: string, path: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => [prefix + path.slice(folder.length).replaceAll(sep, '/'), path])
}

function readBuiltFile(address: string, path: string): RenderedPage | undefined {
  if (!existsSync(path)) return undefined
  const compressed = COMPRESSED.filter(([, suffix]) => existsSync(path + suffix))
  const encoded = compressed.map(([encoding, suffix]): [Compressed, Buffer] => [
    encoding,
    readFileSync(path + suffix),
  ])
  const headers = {
    'content-type': getMimeType(path) ?? 'application/octet-stream',
    'cache-control': cacheControlOf(address),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': resourcePolicyOf(address),
  }
  return new RenderedPage({ status: 200, headers, use: 'cached', encoded }, readFileSync(path))
}

/** Names in assets/ contain a hash of the content. */
function cacheControlOf(address: string): string {
  if (address.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  // Browsers must find a new service worker at the next visit, or a broken one could not be replaced.
  return address === '/service-worker.js' ? 'no-cache' : 'public, max-age=3600'
}

/** E-mails and link previews embed pictures; scripts, styles and fonts are for the shop's own pages only. */
function resourcePolicyOf(address: string): string {
  return /\.(avif|ico|jpe?g|png|svg|webp)$/.test(address) ? 'cross-origin' : 'same-origin'
}
