import type { SupabaseClient } from '@supabase/supabase-js'
import sharp from 'sharp'

/** GPS coordinates that a phone writes into the photo and the shop must remove. */
const SPOT = { GPSLatitude: '31/1 27/1 43/1', GPSLatitudeRef: 'S' }

/** A photo with GPS coordinates, as a phone takes it. */
export function aPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 1200, height: 900, channels: 3, background: 'seagreen' } })
    .withExif({ IFD0: { Model: 'Pixel 7' }, IFD3: SPOT })
    .jpeg()
    .toBuffer()
}

/** About a byte per pixel of noise, which JPEG cannot compress. */
export function aLargePhoto({ width, height } = { width: 1200, height: 900 }): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width, height, channels: 3, background: 'black', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Uploads a photo as the gallery's form does. Returns its public URL for the submission. */
export async function uploadPhoto(visitor: SupabaseClient): Promise<string> {
  const name = `${crypto.randomUUID()}-${Date.now()}.jpg`
  const { error } = await visitor.storage
    .from('gallery')
    .upload(name, await aPhoto(), { contentType: 'image/jpeg' })
  if (error) throw error
  return visitor.storage.from('gallery').getPublicUrl(name).data.publicUrl
}
