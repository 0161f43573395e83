import type { Disk } from '../disk/disk.ts'
import { StorageError } from '../errors.ts'
import type { FileToAnswer } from '../objects/answer-file.ts'
import { derivativesFolder, type ObjectRow } from '../objects/object-row.ts'
import { sniffStored } from '../uploads/content-sniffer.ts'
import { stripPng, stripWebp } from './chunks.ts'
import { blankHeif } from './heif.ts'
import { stripJpeg } from './jpeg.ts'

type Strip = (file: Buffer) => Buffer

const STRIP: Partial<Record<string, Strip>> = {
  'image/avif': blankHeif,
  'image/heic': blankHeif,
  'image/heif': blankHeif,
  'image/jpeg': stripJpeg,
  'image/png': stripPng,
  'image/webp': stripWebp,
}

/**
 * What strangers get to see of a picture: all of it, and nothing of where, when and with what it was taken. Made once;
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
  if (type === 'image/tiff')
    throw new StorageError('InvalidMimeType', 'TIFF files are not shown to the public')
  const strip = STRIP[type]
  if (!strip) return content
  const { size } = await makeFace(disk, { key, content, strip })
  return { ...content, key, size }
}

interface Face {
  key: string
  content: FileToAnswer
  strip: Strip
}

async function makeFace(disk: Disk, { key, content, strip }: Face): Promise<{ size: number }> {
  const original = Buffer.from(await new Response(disk.read(content.key)).arrayBuffer())
  const face = stripped(original, strip)
  await disk.write(key, face)
  return { size: face.length }
}

/** A file that is not built as its type says may hide anything: it is not shown at all. */
function stripped(original: Buffer, strip: Strip): Buffer {
  try {
    return strip(original)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new StorageError('InvalidMimeType', 'The picture is damaged', { cause })
  }
}

function bareType(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? ''
}
