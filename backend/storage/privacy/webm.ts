/** WebM (RFC 9559): elements with an id and a length. Tags, attachments and all else that is not played become void. */

import { StorageError } from '../errors.ts'
import type { Blank, FindPrivate } from './film.ts'

const SEGMENT = 0x18538067
const CLUSTER = 0x1f43b675
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK_ENTRY = 0xae
const TRACK_TYPE = 0x83
const HEADER = 0x1a45dfa3
/** Index, cues, void and checksum: what a player may need besides. */
const HARMLESS = new Set([0x114d9b74, 0x1c53bb6b, 0xec, 0xbf])
/** Of the general facts: the time scale, the length, and what wrote the file, which must be there. */
const KEPT_FACTS = new Set([0x2ad7b1, 0x4489, 0x4d80, 0x5741, 0xbf, 0xec])
const PICTURE_OR_SOUND = new Set([1, 2])

interface Element {
  id: number
  start: number
  content: number
  /** Null when it lasts until something else begins. */
  end: number | null
}

export const privateInWebm: FindPrivate = async (read, size) => {
  const blanks: Blank[] = []
  let isInCluster = false
  for (let at = 0; at < size;) {
    const element = elementAt(await read(at, 12), at)
    const end = element.end ?? size
    if (end > size) throw new RangeError('an element that does not fit')
    const isTopLevel = element.id > 0xffffff
    if (isTopLevel) isInCluster = element.id === CLUSTER && element.end === null
    const content =
      element.id === TRACKS || element.id === INFO ? await read(element.content, end - element.content) : null
    if (content && element.id === TRACKS) requireShown(content)
    else if (content) blanks.push(...privateFacts(content, element.content))
    else if (!isInCluster && !isPlayed(element.id)) blanks.push(voided(element.start, end))
    // A segment is gone into; so is a cluster of unknown length, up to whatever ends it.
    at = element.id === SEGMENT || element.end === null ? element.content : end
  }
  return blanks
}

function isPlayed(id: number): boolean {
  return id === HEADER || id === SEGMENT || id === CLUSTER || HARMLESS.has(id)
}

function elementsOf(content: Buffer): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < content.length;) {
    const element = elementAt(content.subarray(at), at)
    if (element.end === null || element.end > content.length)
      throw new RangeError('an element that does not fit')
    elements.push(element)
    at = element.end
  }
  return elements
}

/** The date, the title, and whatever else there may be. */
function privateFacts(content: Buffer, offset: number): Blank[] {
  return elementsOf(content)
    .filter(({ id }) => !KEPT_FACTS.has(id))
    .map(({ start, end }) => voided(offset + start, offset + (end ?? content.length)))
}

function requireShown(tracks: Buffer): void {
  for (const entry of elementsOf(tracks).filter(({ id }) => id === TRACK_ENTRY)) {
    const facts = tracks.subarray(entry.content, entry.end ?? tracks.length)
    const type = elementsOf(facts).find(({ id }) => id === TRACK_TYPE)
    if (!type || !PICTURE_OR_SOUND.has(facts.readUInt8(type.content))) {
      throw new StorageError('InvalidMimeType', 'Only films of picture and sound are shown to the public')
    }
  }
}

/** The first bits of both numbers say how long they are. */
function elementAt(bytes: Buffer, at: number): Element {
  const idLength = Math.clz32(bytes.readUInt8(0)) - 23
  if (idLength > 4) throw new RangeError('no element')
  const id = bytes.readUIntBE(0, idLength)
  const first = bytes.readUInt8(idLength)
  const sizeLength = Math.clz32(first) - 23
  if (sizeLength > 8) throw new RangeError('no length')
  let length = first & (0xff >> sizeLength)
  let isUnknown = length === 0xff >> sizeLength
  for (const byte of bytes.subarray(idLength + 1, idLength + sizeLength)) {
    length = length * 256 + byte
    isUnknown &&= byte === 0xff
  }
  const content = at + idLength + sizeLength
  return { id, start: at, content, end: isUnknown ? null : content + length }
}

/** An element of the same length that says nothing; the shortest has two bytes, as the shortest void has. */
function voided(start: number, end: number): Blank {
  const length = end - start
  if (length < 9) return { start, end, bytes: Buffer.from([0xec, 0x80 | (length - 2)]) }
  const bytes = Buffer.from([0xec, 0x01, 0, 0, 0, 0, 0, 0, 0])
  bytes.writeUIntBE(length - 9, 3, 6)
  return { start, end, bytes }
}
