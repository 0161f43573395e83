/**
 * MP4 and QuickTime (ISO 14496-12) are trees of boxes. Cameras write place and time into some boxes and into separate tracks.
 * Boxes that playback does not need become `free` boxes of the same size, so that offsets stay valid.
 */

import { StorageError } from '../errors.ts'
import type { Blank, FindBlanks } from './video.ts'

const FREE = Buffer.from('free')

/** Allowed children by parent box; a box that is not a key here keeps its content. */
const KEPT_BOXES: Partial<Record<string, Set<string>>> = {
  video: new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'mfra']),
  moov: new Set(['mvhd', 'trak', 'mvex']),
  trak: new Set(['tkhd', 'edts', 'tref', 'mdia']),
  mdia: new Set(['mdhd', 'hdlr', 'minf']),
  minf: new Set(['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl']),
  moof: new Set(['mfhd', 'traf']),
  traf: new Set(['tfhd', 'tfdt', 'trun', 'sdtp', 'sbgp', 'sgpd', 'subs', 'saiz', 'saio']),
}
/** Boxes that start with creation and modification times. */
const DATED = new Set(['mvhd', 'tkhd', 'mdhd'])
const PLAYED_TRACKS = new Set(['vide', 'soun'])

interface Box {
  type: string
  /** Offsets of the header, of the content and of the end. */
  start: number
  content: number
  end: number
}

export const findMp4Metadata: FindBlanks = async (read, size) => {
  const blanks: Blank[] = []
  for (let at = 0; at < size;) {
    const box = boxAt(await read(at, 16), { at, limit: size })
    if (box.type === 'moov' || box.type === 'moof') {
      const index = await read(box.start, box.end - box.start)
      blanks.push(...blanksInside(index, { ...box, offset: box.start }))
    } else if (!KEPT_BOXES.video?.has(box.type)) blanks.push(...blankBox(box))
    at = box.end
  }
  return blanks
}

/** `file` is the part of the video that starts at `offset`. */
function blanksInside(file: Buffer, outer: Box & { offset: number }): Blank[] {
  const { offset, type } = outer
  const kept = KEPT_BOXES[type]
  const blanks: Blank[] = []
  for (let at = outer.content; at < outer.end;) {
    const box = boxAt(file.subarray(at - offset), { at, limit: outer.end })
    if (kept && !kept.has(box.type)) blanks.push(...blankBox(box))
    else if (KEPT_BOXES[box.type]) blanks.push(...blanksInside(file, { ...box, offset }))
    else if (DATED.has(box.type)) blanks.push(dates(box, file.readUInt8(box.content - offset)))
    else if (type === 'mdia' && box.type === 'hdlr') requirePictureOrSound(file, box.content - offset)
    at = box.end
  }
  return blanks
}

function boxAt(header: Buffer, { at, limit }: { at: number; limit: number }): Box {
  const short = header.readUInt32BE(0)
  const type = header.toString('latin1', 4, 8)
  const content = at + (short === 1 ? 16 : 8)
  const end = short === 1 ? at + Number(header.readBigUInt64BE(8)) : short === 0 ? limit : at + short
  if (end < content || end > limit) throw new RangeError(`Box "${type}" exceeds its parent`)
  return { type, start: at, content, end }
}

function blankBox({ start, content, end }: Box): Blank[] {
  return [
    { start: start + 4, end: start + 8, bytes: FREE },
    { start: content, end, bytes: Buffer.alloc(0) },
  ]
}

function dates({ content }: Box, version: number): Blank {
  return { start: content + 4, end: content + (version === 1 ? 20 : 12), bytes: Buffer.alloc(0) }
}

/** Throws for other tracks (GPS, for instance): their samples are interleaved with picture and sound and cannot be removed. */
function requirePictureOrSound(file: Buffer, content: number): void {
  if (!PLAYED_TRACKS.has(file.toString('latin1', content + 8, content + 12))) {
    throw new StorageError('InvalidMimeType', 'Only films of picture and sound are shown to the public')
  }
}
