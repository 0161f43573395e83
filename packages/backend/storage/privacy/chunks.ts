import { requireFewParts } from './few-parts.ts'

const PNG_PRIVATE = new Set(['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME'])
const PNG_SIGNATURE_LENGTH = 8

/** A PNG is a sequence of chunks: length, type, data, checksum. */
export function stripPng(file: Buffer): Buffer {
  const kept = [file.subarray(0, PNG_SIGNATURE_LENGTH)]
  let at = PNG_SIGNATURE_LENGTH
  for (let parts = 1; at + 12 <= file.length; parts += 1) {
    requireFewParts(parts)
    const end = at + 12 + file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (!PNG_PRIVATE.has(type)) kept.push(file.subarray(at, end))
    at = end
    // Drops trailing data: it is not part of the picture and may contain metadata.
    if (type === 'IEND') break
  }
  return Buffer.concat(kept)
}

const WEBP_PRIVATE = new Set(['EXIF', 'XMP '])
const WEBP_HEADER_LENGTH = 12
/** The VP8X flags for EXIF and XMP. */
const WEBP_METADATA_FLAGS = 0b0000_1100

/** A WebP is a RIFF file; each chunk is padded to an even length. */
export function stripWebp(file: Buffer): Buffer {
  const kept: Buffer[] = []
  const whole = Math.min(file.length, 8 + file.readUInt32LE(4))
  let at = WEBP_HEADER_LENGTH
  for (let parts = 1; at + 8 <= whole; parts += 1) {
    requireFewParts(parts)
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    const type = file.toString('latin1', at, at + 4)
    const chunk = Buffer.from(file.subarray(at, end))
    if (type === 'VP8X' && chunk.length > 8) chunk.writeUInt8(chunk.readUInt8(8) & ~WEBP_METADATA_FLAGS, 8)
    if (!WEBP_PRIVATE.has(type)) kept.push(chunk)
    at = end
  }
  const header = Buffer.from(file.subarray(0, WEBP_HEADER_LENGTH))
  header.writeUInt32LE(
    kept.reduce((sum, chunk) => sum + chunk.length, 4),
    4,
  )
  return Buffer.concat([header, ...kept])
}
