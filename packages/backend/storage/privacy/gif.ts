import { requireFewParts } from './few-parts.ts'

const HEADER_LENGTH = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const TIMING = 0xf9
const APPLICATION = 0xff
const LOOPS = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** Keeps animation extensions only; removes comments and XMP. */
export function stripGif(file: Buffer): Buffer {
  let at = HEADER_LENGTH + coloursAfter(file.readUInt8(10))
  const kept = [file.subarray(0, at)]
  for (let parts = 1; ; parts += 1) {
    requireFewParts(parts)
    const introducer = file.readUInt8(at)
    if (introducer === TRAILER) break
    const end = introducer === IMAGE ? endOfImage(file, at) : endOfExtension(file, at)
    if (introducer === IMAGE || isAnimationExtension(file, at)) kept.push(file.subarray(at, end))
    at = end
  }
  // Drops trailing data: it is not part of the picture and may contain metadata.
  return Buffer.concat([...kept, file.subarray(at, at + 1)])
}

function isAnimationExtension(file: Buffer, at: number): boolean {
  const label = file.readUInt8(at + 1)
  return label === TIMING || (label === APPLICATION && LOOPS.has(file.toString('latin1', at + 3, at + 14)))
}

function endOfImage(file: Buffer, at: number): number {
  return endOfBlocks(file, at + 11 + coloursAfter(file.readUInt8(at + 9)))
}

function endOfExtension(file: Buffer, at: number): number {
  if (file.readUInt8(at) !== EXTENSION) throw new RangeError('Expected a GIF image or extension block')
  return endOfBlocks(file, at + 2)
}

function endOfBlocks(file: Buffer, start: number): number {
  let at = start
  for (let length = file.readUInt8(at); length > 0; length = file.readUInt8(at)) at += 1 + length
  return at + 1
}

function coloursAfter(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}
