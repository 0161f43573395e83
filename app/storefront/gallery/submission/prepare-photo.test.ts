import { beforeEach, expect, it, vi } from 'vitest'
import { MAX_PHOTO_BYTES } from '#domain/validation/gallery.ts'
import { preparePhoto } from './prepare-photo.ts'

/** A photo of 48 megapixels, whose JPEG has 24 MB. */
const PICTURE = { width: 8000, height: 6000, close: () => undefined }
const BYTES_PER_PIXEL = 0.5

/** What was drawn: the picture, its place and its size. */
let drawn: unknown[][]

beforeEach(() => {
  drawn = []
  vi.stubGlobal('createImageBitmap', async () => PICTURE)
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      readonly width: number
      readonly height: number
      constructor(width: number, height: number) {
        this.width = width
        this.height = height
      }
      getContext() {
        return { drawImage: (...drawing: unknown[]) => void drawn.push(drawing) }
      }
      async convertToBlob({ type }: { type: string }) {
        return new Blob([new Uint8Array(this.width * this.height * BYTES_PER_PIXEL)], { type })
      }
    },
  )
})

it('scales a converted photo down until the gallery accepts its size', async () => {
  const photo = await preparePhoto(new File(['x'], 'catch.heic', { type: 'image/heic' }))

  expect(photo?.type).toBe('image/jpeg')
  expect(photo?.size).toBeLessThanOrEqual(MAX_PHOTO_BYTES)
  expect(photo?.size).toBeGreaterThan(MAX_PHOTO_BYTES / 2)
  expect(drawn.slice(0, 2)).toEqual([
    [PICTURE, 0, 0, 8000, 6000],
    [PICTURE, 0, 0, 6000, 4500],
  ])
})

it('sends a photo of a type that every browser shows as it is', async () => {
  const file = new File(['x'], 'catch.jpg', { type: 'image/jpeg' })

  expect(await preparePhoto(file)).toBe(file)
})
