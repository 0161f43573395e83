/** WebM (RFC 9559) is a sequence of elements with id and length. Elements that playback does not need become void elements. */

import { StorageError } from '../errors.ts'
import type { Blank, FindBlanks } from './video.ts'

const SEGMENT = 0x18538067
const CLUSTER = 0x1f43b675
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const TRACK_TYPE = 0x83
const HEADER = 0x1a45dfa3
/** Index, cues, void and checksum. */
const PLAYER_ELEMENTS = new Set([0x114d9b74, 0x1c53bb6b, 0xec, 0xbf])
/** Children of Info that are kept: time scale, duration and the mandatory names of the writing software. */
const KEPT_INFO = new Set([0x2ad7b1, 0x4489, 0x4d80, 0x5741, 0xbf, 0xec])
const PLAYED_TRACK_TYPES = new Set([1, 2])

interface Element {
  id: number
  start: number
  content: number
  /** Null for an unknown length: the element ends where the next one starts. */
  end: number | null
}

export const findWebmMetadata: FindBlanks = async (read, size) => {
  const blanks: Blank[] = []
  let isInCluster = false
  for (let at = 0; at < size;) {
    const element = elementAt(await read(at, 12), at)
    const end = element.end ?? size
    if (end > size) throw new RangeError('WebM element exceeds the file')
    const isTopLevel = element.id > 0xffffff
    if (isTopLevel) isInCluster = element.id === CLUSTER && element.end === null
    const content =
      element.id === TRACKS || element.id === INFO ? await read(element.content, end - element.content) : null
    if (content && element.id === TRACKS) requirePictureOrSound(content)
    else if (content) blanks.push(...infoBlanks(content, element.content))
    else if (!isInCluster && !isPlayed(element.id)) blanks.push(voided(element.start, end))
    // Descends into segments and into clusters of unknown length.
    at = element.id === SEGMENT || element.end === null ? element.content : end
  }
  return blanks
}

function isPlayed(id: number): boolean {
  return id === HEADER || id === SEGMENT || id === CLUSTER || PLAYER_ELEMENTS.has(id)
}

function elementsOf(content: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < content.length;) {
    const element = elementAt(content.subarray(at), at)
    if (element.end === null || element.end > content.length)
      throw new RangeError('WebM element exceeds its parent')
    elements.push(element)
    at = element.end
  }
  return elements
}

/** Blanks date, title and every other child of Info that is not in `KEPT_INFO`. */
function infoBlanks(content: Buffer, offset: number): Blank[] {
  return elementsOf(content)
    .filter(({ id }) => !KEPT_INFO.has(id))
    .map(({ start, end }) => voided(offset + start, offset + (end ?? content.length)))
}

function requirePictureOrSound(tracks: Buffer): void {
  for (const entry of elementsOf(tracks).filter(({ id }) => id === TRACK_ENTRY)) {
    const facts = tracks.subarray(entry.content, entry.end ?? tracks.length)
    const type = elementsOf(facts).find(({ id }) => id === TRACK_TYPE)
    if (!type || !PLAYED_TRACK_TYPES.has(facts.readUInt8(type.content))) {
      throw new StorageError('InvalidMimeType', 'Only films of picture and sound are shown to the public')
    }
  }
}

/** The leading bits of id and length encode their own number of bytes. */
function elementAt(bytes: Buffer, at: number): Element {
  const idLength = Math.clz32(bytes.readUInt8(0)) - 23
  if (idLength > 4) throw new RangeError('Invalid WebM element id')
  const id = bytes.readUIntBE(0, idLength)
  const first = bytes.readUInt8(idLength)
  const sizeLength = Math.clz32(first) - 23
  if (sizeLength > 8) throw new RangeError('Invalid WebM element length')
  let length = first & (0xff >> sizeLength)
  let isUnknown = length === 0xff >> sizeLength
  for (const byte of bytes.subarray(idLength + 1, idLength + sizeLength)) {
    length = length * 256 + byte
    isUnknown &&= byte === 0xff
  }
  const content = at + idLength + sizeLength
  return { id, start: at, content, end: isUnknown ? null : content + length }
}

/** Returns a void element of the same length; the shortest element and the shortest void element have two bytes. */
function voided(start: number, end: number): Blank {
  const length = end - start
  if (length < 9) return { start, end, bytes: Buffer.from([0xec, 0x80 | (length - 2)]) }
  const bytes = Buffer.from([0xec, 0x01, 0, 0, 0, 0, 0, 0, 0])
  bytes.writeUIntBE(length - 9, 3, 6)
  return { start, end, bytes }
}
