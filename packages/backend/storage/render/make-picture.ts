import type { Sharp } from 'sharp'

import { StorageError } from '../errors.ts'
import type { PictureFormat, Transformation } from './transformation.ts'

/** A decompression bomb can expand a small file to gigabytes of pixels. */
const MAX_INPUT_PIXELS = 50_000_000

/** A photograph of 800 pixels takes 0.2–0.3 s; effort 4 (the default) takes five times as long and saves 2–5 %. */
const AVIF_EFFORT = 3

/** AVIF's quality scale differs: it looks the same at a lower number. */
const AVIF_QUALITY_SHARE = 0.75

const FIT = { cover: 'cover', contain: 'inside', fill: 'fill' } as const

/** Loads sharp with the first rendered picture: it takes ten megabytes that most processes never need. */
async function library() {
  const { default: sharp } = await import('sharp')
  // One thread per picture: the queue limits the parallelism.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/** Applies the orientation, never enlarges, and drops EXIF, GPS and colour profile. */
export async function makePicture(
  original: Uint8Array,
  { transformation, format }: { transformation: Transformation; format: PictureFormat },
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
