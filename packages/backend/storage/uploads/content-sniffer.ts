import type { FileStore } from '../files/file-store.ts'

/** Enough to recognise every format below. */
export const SNIFFED_BYTES = 64

const STARTS: [type: string, bytes: number[], offset?: number][] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/gif', [...Buffer.from('GIF8')]],
  ['image/tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['image/tiff', [0x4d, 0x4d, 0x00, 0x2a]],
  ['application/pdf', [...Buffer.from('%PDF-')]],
  ['video/webm', [0x1a, 0x45, 0xdf, 0xa3]],
  ['application/zip', [0x50, 0x4b, 0x03, 0x04]],
  ['image/webp', [...Buffer.from('WEBP')], 8],
  // Never allowed, but recognised: videos and raw photographs may contain a place and must not pass as another type.
  ['video/x-msvideo', [...Buffer.from('AVI ')], 8],
  ['video/quicktime', [...Buffer.from('moov')], 4],
  ['video/quicktime', [...Buffer.from('mdat')], 4],
  ['video/quicktime', [...Buffer.from('wide')], 4],
  ['image/jxl', [...Buffer.from('JXL ')], 4],
  ['image/jxl', [0xff, 0x0a]],
  ['image/jp2', [...Buffer.from('jP  ')], 4],
  ['image/vnd.adobe.photoshop', [...Buffer.from('8BPS')]],
  ['image/x-fuji-raf', [...Buffer.from('FUJIFILM')]],
  ['image/x-olympus-orf', [...Buffer.from('IIRO')]],
  ['image/x-panasonic-rw2', [...Buffer.from('IIU\0')]],
]

/** Brands in the first box of ISO media files. */
const BRANDS: Partial<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  mif1: 'image/heif',
  msf1: 'image/heif',
}

/** Returns the type of a stored file by its content, ignoring the claimed type; null if unknown. */
export async function sniffStored(files: FileStore, key: string): Promise<string | null> {
  const start = new Response(await files.read(key, { start: 0, end: SNIFFED_BYTES - 1 }))
  return sniffType(Buffer.from(await start.arrayBuffer()))
}

/** Returns the type by the first bytes; null if unknown, as for text. */
function sniffType(start: Uint8Array): string | null {
  const bytes = Buffer.from(start)
  const match = STARTS.find(([, signature, offset = 0]) =>
    signature.every((byte, index) => bytes[offset + index] === byte),
  )
  if (match) return match[0]
  if (bytes.toString('latin1', 4, 8) === 'ftyp') return BRANDS[bytes.toString('latin1', 8, 12)] ?? 'video/mp4'
  if (/^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/i.test(bytes.toString('utf8'))) return 'image/svg+xml'
  return null
}

const SNIFFABLE = /^(image|video)\/|^application\/(pdf|zip)$/

/** Returns the type to store, or null when the bucket does not allow it. The content overrides the claimed type. */
export function acceptedType(claimed: string, start: Uint8Array, allowed: string[] | null): string | null {
  if (!allowed || allowed.length === 0) return claimed
  const bare = bareTypeOf(claimed)
  const sniffed = sniffType(start)
  if (!isAllowed(bare, allowed)) return null
  if (sniffed) return isAllowed(sniffed, allowed) ? sniffed : null
  return SNIFFABLE.test(bare) ? null : claimed
}

/** Checks the claimed type before the content has arrived; `acceptedType` checks the content. */
export function mayBeAccepted(claimed: string, allowed: string[] | null): boolean {
  return !allowed || allowed.length === 0 || isAllowed(bareTypeOf(claimed), allowed)
}

function bareTypeOf(claimed: string): string {
  return claimed.split(';')[0]?.trim().toLowerCase() ?? ''
}

function isAllowed(type: string, allowed: string[]): boolean {
  return allowed.some(
    (one) => one === type || one === '*/*' || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))),
  )
}
