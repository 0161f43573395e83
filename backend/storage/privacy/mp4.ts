/**
 * MP4 and QuickTime (ISO 14496-12): a tree of boxes. Cameras write place and time into some of them and into tracks of
 * their own. What is not needed to play the film is made into free space; no box moves.
 */

import { StorageError } from '../errors.ts'
import type { Blank, FindPrivate } from './film.ts'

const FREE = Buffer.from('free')

/** What may stay in a box; of a box that is not a key here, everything. */
const KEPT: Partial<Record<string, Set<string>>> = {
  film: new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'mfra']),
  moov: new Set(['mvhd', 'trak', 'mvex']),
  trak: new Set(['tkhd', 'edts', 'tref', 'mdia']),
  mdia: new Set(['mdhd', 'hdlr', 'minf']),
  minf: new Set(['vmhd', 'smhd', 'hdlr', 'dinf', 'stbl']),
  moof: new Set(['mfhd', 'traf']),
  traf: new Set(['tfhd', 'tfdt', 'trun', 'sdtp', 'sbgp', 'sgpd', 'subs', 'saiz', 'saio']),
}
/** Begin with when they were made and changed. */
const DATED = new Set(['mvhd', 'tkhd', 'mdhd'])
const SHOWN_TRACKS = new Set(['vide', 'soun'])

interface Box {
  type: string
  /** Where it begins, where its content does, and where it ends. */
  start: number
  content: number
  end: number
}

export const privateInMp4: FindPrivate = async (read, size) => {
  const blanks: Blank[] = []
  for (let at = 0; at < size;) {
    const box = boxAt(await read(at, 16), { at, limit: size })
    if (box.type === 'moov' || box.type === 'moof') {
      const index = await read(box.start, box.end - box.start)
      blanks.push(...privateInside(index, { ...box, offset: box.start }))
    } else if (!KEPT.film?.has(box.type)) blanks.push(...emptied(box))
    at = box.end
  }
  return blanks
}

/** `file` holds what begins at `offset` of the film. */
function privateInside(file: Buffer, outer: Box & { offset: number }): Blank[] {
  const { offset, type } = outer
  const kept = KEPT[type]
  const blanks: Blank[] = []
  for (let at = outer.content; at < outer.end;) {
    const box = boxAt(file.subarray(at - offset), { at, limit: outer.end })
    if (kept && !kept.has(box.type)) blanks.push(...emptied(box))
    else if (KEPT[box.type]) blanks.push(...privateInside(file, { ...box, offset }))
    else if (DATED.has(box.type)) blanks.push(dates(box, file.readUInt8(box.content - offset)))
    else if (type === 'mdia' && box.type === 'hdlr') requireShown(file, box.content - offset)
    at = box.end
  }
  return blanks
}

function boxAt(header: Buffer, { at, limit }: { at: number; limit: number }): Box {
  const short = header.readUInt32BE(0)
  const type = header.toString('latin1', 4, 8)
  const content = at + (short === 1 ? 16 : 8)
  const end = short === 1 ? at + Number(header.readBigUInt64BE(8)) : short === 0 ? limit : at + short
  if (end < content || end > limit) throw new RangeError(`a box "${type}" that does not fit`)
  return { type, start: at, content, end }
}

function emptied({ start, content, end }: Box): Blank[] {
  return [
    { start: start + 4, end: start + 8, bytes: FREE },
    { start: content, end, bytes: Buffer.alloc(0) },
  ]
}

function dates({ content }: Box, version: number): Blank {
  return { start: content + 4, end: content + (version === 1 ? 20 : 12), bytes: Buffer.alloc(0) }
}

/** What such a track holds, a way walked for instance, lies among picture and sound and cannot be told apart there. */
function requireShown(file: Buffer, content: number): void {
  if (!SHOWN_TRACKS.has(file.toString('latin1', content + 8, content + 12))) {
    throw new StorageError('InvalidMimeType', 'Only films of picture and sound are shown to the public')
  }
}
