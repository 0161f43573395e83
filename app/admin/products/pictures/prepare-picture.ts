/** The types that the shop stores, with their extensions. */
const STORED_TYPES: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}
/** Twice the largest width on a page, for high-density screens. */
const MAX_SIDE = 2400
const MIN_SIDE = 300
const MAX_STORED_BYTES = 4 * 1024 * 1024
const MAX_INPUT_BYTES = 60 * 1024 * 1024
const QUALITY = 0.9

export interface PreparedPicture {
  content: Blob
  extension: string
}

/** The message tells the admin why the file cannot be used. */
export class UnusablePictureError extends Error {}

/**
 * Prepares a file for the upload. Scales large photos down, which saves mobile data, and converts types that the shop does not store
 * (such as HEIC) to JPEG. Throws an UnusablePictureError.
 */
export async function preparePicture(file: File): Promise<PreparedPicture> {
  if (file.size > MAX_INPUT_BYTES)
    throw new UnusablePictureError(`${file.name} is larger than 60 MB. Please export a smaller copy.`)
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnusablePictureError(unreadableText(file))
  })
  try {
    const { width, height } = picture
    if (Math.min(width, height) < MIN_SIDE)
      throw new UnusablePictureError(
        `${file.name} is only ${width} × ${height} pixels. It needs at least ${MIN_SIDE} on each side to look sharp.`,
      )
    const isSmallEnough = Math.max(width, height) <= MAX_SIDE && file.size <= MAX_STORED_BYTES
    if (isSmallEnough && file.type in STORED_TYPES) return withExtension(file)
    return withExtension(await redraw(picture, { x: 0, y: 0, width, height }, file.type))
  } finally {
    picture.close()
  }
}

export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

/** Crops a picture and scales it down to the largest size that the shop needs. */
export async function cropPicture(
  picture: ImageBitmap,
  area: CropArea,
  type: string,
): Promise<PreparedPicture> {
  return withExtension(await redraw(picture, area, type))
}

async function redraw(picture: ImageBitmap, { x, y, width, height }: CropArea, type: string): Promise<Blob> {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser has no 2d canvas context')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  // WebP keeps the transparency that PNG and WebP may have; photos are smallest as JPEG.
  const outputType = type === 'image/png' || type === 'image/webp' ? 'image/webp' : 'image/jpeg'
  return canvas.convertToBlob({ type: outputType, quality: QUALITY })
}

/** Reads the type from the blob: a browser that cannot encode the requested type uses another one. */
function withExtension(content: Blob): PreparedPicture {
  return { content, extension: STORED_TYPES[content.type] ?? 'jpg' }
}

function unreadableText({ name, type }: File): string {
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return `${name} is a HEIC photo, which this browser cannot open. Upload it from the phone itself, or save it as JPEG.`
  if (!type.startsWith('image/')) return `${name} is not a picture. Use JPEG, PNG, WebP or AVIF.`
  return `${name} cannot be opened. The file seems to be broken; try exporting it again.`
}
