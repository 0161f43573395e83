import type { Disk } from '../disk/disk.ts'
import { StorageError } from '../errors.ts'
import type { FileToAnswer } from '../objects/answer-file.ts'
import { derivativesFolder, type ObjectRow } from '../objects/object-row.ts'
import { sniffStored } from '../uploads/content-sniffer.ts'
import { stripPng, stripWebp } from './chunks.ts'
import { blankedFilm, type FindPrivate } from './film.ts'
import { stripGif } from './gif.ts'
import { blankHeif } from './heif.ts'
import { stripJpeg } from './jpeg.ts'
import { privateInMp4 } from './mp4.ts'
import { privateInWebm } from './webm.ts'

type Strip = (file: Buffer) => Buffer

const STRIP: Partial<Record<string, Strip>> = {
  'image/avif': blankHeif,
  'image/gif': stripGif,
  'image/heic': blankHeif,
  'image/heif': blankHeif,
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
}

const FILMS: Partial<Record<string, FindPrivate>> = {
  'video/mp4': privateInMp4,
  'video/quicktime': privateInMp4,
  'video/webm': privateInWebm,
}

/** Drawings, and pictures of a kind that cameras do not make. */
const WITHOUT_A_CAMERA = new Set(['image/svg+xml', 'image/bmp', 'image/x-icon', 'image/vnd.microsoft.icon'])

/**
 * What strangers get to see of a picture or a film: all of it, and nothing of where, when and with what it was taken. Made once;
 * the owner's own download stays the file as it was put there.
 */
export async function publicFace(
  disk: Disk,
  object: ObjectRow,
  content: FileToAnswer,
): Promise<FileToAnswer> {
  const key = `${derivativesFolder(object.version)}/public-face`
  const made = await disk.find(key)
  if (made) return { ...content, key, size: made.size }

  // By the content: a photograph that was sent as text would keep its place and time. What the type promises must be
  // there as well, or something is hidden in it.
  const type = (await sniffStored(disk, content.key)) ?? bareType(object.metadata.mimetype)
  const face = faceOf(disk, content.key, type)
  if (!face) return content
  await write(disk, key, face)
  return { ...content, key, size: (await disk.find(key))?.size ?? content.size }
}

/** Null for what is neither picture nor film, and for drawings. */
function faceOf(disk: Disk, key: string, type: string): Face | null {
  const strip = STRIP[type]
  if (strip) return stripped(disk, key, strip)
  const find = FILMS[type]
  if (find) return blankedFilm(disk, key, find)
  if (WITHOUT_A_CAMERA.has(type) || !/^(image|video)\//.test(type)) return null
  throw new StorageError('InvalidMimeType', `Files of the type ${type} are not shown to the public`)
}

type Face = AsyncIterable<Uint8Array> | Promise<Uint8Array>

async function stripped(disk: Disk, key: string, strip: Strip): Promise<Uint8Array> {
  return strip(Buffer.from(await new Response(disk.read(key)).arrayBuffer()))
}

/** A file that is not built as its type says may hide anything: it is not shown at all. */
async function write(disk: Disk, key: string, face: Face): Promise<void> {
  try {
    await disk.write(key, await face)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new StorageError('InvalidMimeType', 'The file is damaged', { cause })
  }
}

function bareType(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? ''
}
