import { z } from 'zod'

import { StorageError } from '../errors.ts'

const side = z.coerce.number().int().min(1).max(2500).optional()

const schema = z.object({
  width: side,
  height: side,
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  quality: z.coerce.number().int().min(20).max(100).default(80),
  format: z.enum(['origin', 'avif', 'webp']).optional(),
})

export type Transformation = z.infer<typeof schema>
export type PictureFormat = 'avif' | 'webp' | 'jpeg' | 'png'

export function parseTransformation(query: Record<string, string>): Transformation {
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new StorageError('InvalidRequest', `querystring/${issue?.path.join('/')}: ${issue?.message}`)
}

/** Sizes that visitors may request; others need the secret key, a signed URL or an authenticated request. */
export interface OfferedPictures {
  widths: readonly number[]
  /** Side lengths that may be requested with the same height. */
  squares: readonly number[]
  qualities: readonly number[]
  /** Formats that may be requested by name. */
  formats: readonly string[]
}

export function isOffered(offered: OfferedPictures, requested: Transformation): boolean {
  const { width = 0, height, resize, quality, format } = requested
  const isSize =
    height === undefined
      ? offered.widths.includes(width)
      : height === width && offered.squares.includes(width)
  return (
    isSize &&
    resize === 'cover' &&
    offered.qualities.includes(quality) &&
    (format === undefined || offered.formats.includes(format))
  )
}

/** Returns the best format that the browser names. Ignores wildcards: old browsers send them without AVIF or WebP support. */
export function chooseFormat({ format }: Transformation, accept: string, original: string): PictureFormat {
  const same = original === 'image/png' || original === 'image/gif' ? 'png' : 'jpeg'
  if (format === 'origin') return same
  if (format) return format
  if (accept.includes('image/avif')) return 'avif'
  if (accept.includes('image/webp')) return 'webp'
  return same
}

const RESIZING = { cover: 'fill', contain: 'fit', fill: 'force' } as const

/** Returns the header value in the format of the hosted product's renderer. */
export function transformationsHeader({ width, height, resize, quality, format }: Transformation): string {
  return Object.entries({ height, width, resizing_type: RESIZING[resize], quality, format })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}
