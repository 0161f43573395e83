import type { SupabaseClient } from '@supabase/supabase-js'
import sharp from 'sharp'

/** Off the rocks at Mbotyi: what a phone writes into the photo and nobody else may read. */
const SPOT = { GPSLatitude: '31/1 27/1 43/1', GPSLatitudeRef: 'S' }

/** A photo as a phone takes it, with the place in it. */
export function aPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 1200, height: 900, channels: 3, background: 'seagreen' } })
    .withExif({ IFD0: { Model: 'Pixel 7' }, IFD3: SPOT })
    .jpeg()
    .toBuffer()
}

/** About a megabyte: noise is what JPEG cannot make smaller. */
export function aLargePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width: 1200, height: 900, channels: 3, background: 'black', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Uploads a photo as the gallery's form does; returns the public address it is handed in with. */
export async function uploadPhoto(visitor: SupabaseClient): Promise<string> {
  const name = `${crypto.randomUUID()}-${Date.now()}.jpg`
  const { error } = await visitor.storage
    .from('gallery')
    .upload(name, await aPhoto(), { contentType: 'image/jpeg' })
  if (error) throw error
  return visitor.storage.from('gallery').getPublicUrl(name).data.publicUrl
}
