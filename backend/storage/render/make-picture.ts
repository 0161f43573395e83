import type { Sharp } from 'sharp'

import { StorageError } from '../errors.ts'
import type { PictureFormat, Transformation } from './transformation.ts'

/** A small file can unfold to gigabytes of pixels. */
const MAX_INPUT_PIXELS = 50_000_000

/** A photograph 800 wide takes 0.2–0.3 s; at 4 (the default) five times as long for 2–5 % less. */
const AVIF_EFFORT = 3

/** AVIF reaches the same look at a lower number on its own scale. */
const AVIF_QUALITY_SHARE = 0.75

const FIT = { cover: 'cover', contain: 'inside', fill: 'fill' } as const

/** Fetched with the first picture that has to be made: ten megabytes that most days never need. */
async function library() {
  const { default: sharp } = await import('sharp')
  // One thread for each picture: the queue says how many are made at once.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

interface Picture {
  transformation: Transformation
  format: PictureFormat
}

/** Turned upright, never larger than the original; EXIF, GPS and colour profile stay behind. */
export async function makePicture(
  original: Uint8Array,
  { transformation, format }: Picture,
): Promise<Uint8Array> {
  const { width, height, resize, quality } = transformation
  const sharp = await library()
  try {
    const resized = sharp(original, { limitInputPixels: MAX_INPUT_PIXELS })
      .autoOrient()
      .resize({ width, height, fit: FIT[resize], withoutEnlargement: true })
    return await encode(resized, format, quality).toBuffer()
  } catch (cause) {
    throw new StorageError('InvalidMimeType', undefined, { cause })
  }
}

function encode(picture: Sharp, format: PictureFormat, quality: number): Sharp {
  switch (format) {
    case 'avif':
      return picture.avif({ quality: Math.round(quality * AVIF_QUALITY_SHARE), effort: AVIF_EFFORT })
    case 'webp':
      return picture.webp({ quality })
    case 'jpeg':
      return picture.jpeg({ quality, mozjpeg: true })
    case 'png':
      return picture.png({ compressionLevel: 9 })
  }
}
