import { requireFewParts } from './few-parts.ts'

/** Segments with display data are kept; all other application segments and comments may contain metadata. */
const JFIF = 0xe0
const COLOUR_PROFILE = 0xe2
const ADOBE_COLOURS = 0xee
const EXIF = 0xe1
const COMMENT = 0xfe
const START_OF_SCAN = 0xda
const END = 0xd9

/** Removes EXIF (except the orientation), XMP, IPTC and comments without re-encoding the picture. */
export function stripJpeg(file: Buffer): Buffer {
  const kept: Buffer[] = []
  let orientation = 1
  let at = nextMarker(file, 2)
  // Drops trailing data: phones append videos, depth maps and thumbnails with their own EXIF.
  for (let parts = 1; at + 4 <= file.length && file[at + 1] !== END; parts += 1) {
    requireFewParts(parts)
    const marker = file.readUInt8(at + 1)
    const end = at + 2 + file.readUInt16BE(at + 2)
    const next = nextMarker(file, end)
    const segment = file.subarray(at, marker === START_OF_SCAN ? next : end)
    if (marker === EXIF) orientation = orientationIn(segment) ?? orientation
    if (isDisplayData(marker, segment)) kept.push(segment)
    at = next
  }
  const exif = orientation === 1 ? [] : [onlyOrientation(orientation)]
  return Buffer.concat([file.subarray(0, 2), ...exif, ...kept, file.subarray(at, at + 2)])
}

/**
 * Returns where the next segment begins, as decoders find it: they skip the data of a scan, fill bytes (0xFF before a marker), markers
 * without a segment, and everything that is no marker.
 */
function nextMarker(file: Buffer, start: number): number {
  for (let at = start; at + 1 < file.length; at += 1) {
    if (file[at] === 0xff && hasSegment(file.readUInt8(at + 1))) return at
  }
  return file.length
}

/** Not an escaped 0xFF of a scan, a restart, the start of a picture, or a fill byte. */
function hasSegment(marker: number): boolean {
  return marker > 0x01 && (marker < 0xd0 || marker > 0xd8) && marker !== 0xff
}

function isDisplayData(marker: number, segment: Buffer): boolean {
  const isApplication = marker >= 0xe0 && marker <= 0xef
  if (!isApplication) return marker !== COMMENT
  if (marker === COLOUR_PROFILE) return segment.toString('latin1', 4, 15) === 'ICC_PROFILE'
  return marker === JFIF || marker === ADOBE_COLOURS
}

function orientationIn(segment: Buffer): number | null {
  if (segment.toString('latin1', 4, 8) !== 'Exif' || segment.length < 20) return null
  const tiff = segment.subarray(10)
  const isLittle = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) =>
    at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at)
  const first = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = Array.from({ length: Math.min(short(first), 200) }, (_, index) => first + 2 + index * 12)
  const found = entries.find((entry) => short(entry) === 0x0112)
  const value = found === undefined ? 1 : short(found + 8)
  return value >= 1 && value <= 8 ? value : 1
}

/** Returns a big-endian EXIF segment with a single entry. */
function onlyOrientation(value: number): Buffer {
  const segment = Buffer.from(
    'ffe100224578696600004d4d002a00000008000101120003000000010000000000000000',
    'hex',
  )
  segment.writeUInt16BE(value, 28)
  return segment
}
