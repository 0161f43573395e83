/** What the shop keeps and every browser shows. */
const KEPT_TYPES: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}
/** Twice the widest that a page shows. */
const LONGEST_SIDE = 2400
const SHORTEST_SIDE = 300
const LARGEST_KEPT_BYTES = 4 * 1024 * 1024
const LARGEST_READ_BYTES = 60 * 1024 * 1024
const QUALITY = 0.9

export interface PreparedPicture {
  content: Blob
  extension: string
}

/** Why a file is no picture for the shop: a sentence for whoever chose it. */
export class UnusablePictureError extends Error {}

/**
 * A file as it is uploaded. A phone's photograph is many times larger than any screen, so it is made smaller here, which spares the
 * mobile data; what the shop does not keep (HEIC, where this browser can open it) becomes a JPEG.
 */
export async function preparePicture(file: File): Promise<PreparedPicture> {
  if (file.size > LARGEST_READ_BYTES)
    throw new UnusablePictureError(`${file.name} is larger than 60 MB. Please export a smaller copy.`)
  const picture = await createImageBitmap(file).catch(() => {
    throw new UnusablePictureError(whyUnreadable(file))
  })
  try {
    const { width, height } = picture
    if (Math.min(width, height) < SHORTEST_SIDE)
      throw new UnusablePictureError(
        `${file.name} is only ${width} × ${height} pixels. It needs at least ${SHORTEST_SIDE} on each side to look sharp.`,
      )
    const isSmallEnough = Math.max(width, height) <= LONGEST_SIDE && file.size <= LARGEST_KEPT_BYTES
    if (isSmallEnough && file.type in KEPT_TYPES) return kept(file)
    return kept(await redraw(picture, { x: 0, y: 0, width, height }, file.type))
  } finally {
    picture.close()
  }
}

export interface Cut {
  x: number
  y: number
  width: number
  height: number
}

/** A part of a picture, no larger than the shop needs it. */
export async function cropPicture(picture: ImageBitmap, cut: Cut, type: string): Promise<PreparedPicture> {
  return kept(await redraw(picture, cut, type))
}

async function redraw(picture: ImageBitmap, { x, y, width, height }: Cut, type: string): Promise<Blob> {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no pictures')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  // Only what may be see-through stays so; photographs are smallest as JPEG.
  const wanted = type === 'image/png' || type === 'image/webp' ? 'image/webp' : 'image/jpeg'
  return canvas.convertToBlob({ type: wanted, quality: QUALITY })
}

/** A browser that cannot write a type writes another, and says so. */
function kept(content: Blob): PreparedPicture {
  return { content, extension: KEPT_TYPES[content.type] ?? 'jpg' }
}

function whyUnreadable({ name, type }: File): string {
  if (/\.hei[cf]$/i.test(name) || /hei[cf]/.test(type))
    return `${name} is a HEIC photo, which this browser cannot open. Upload it from the phone itself, or save it as JPEG.`
  if (!type.startsWith('image/')) return `${name} is not a picture. JPEG, PNG, WebP and AVIF can be used.`
  return `${name} cannot be opened: the file seems to be broken. Try to export it again.`
}
