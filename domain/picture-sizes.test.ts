import { expect, it } from 'vitest'
import { canResize, pictureUrl } from './picture-sizes.ts'
import { heroPoster } from './experience-pictures.ts'

it('offers resized copies of pictures in public buckets only', () => {
  expect(canResize(heroPoster.src)).toBe(true)
  expect(canResize('/storage/v1/object/sign/gallery/catch.jpg')).toBe(false)
  expect(pictureUrl(heroPoster.src, 640)).toBe(
    '/storage/v1/render/image/public/site/hero/hero-poster.jpg?width=640&quality=70',
  )
})
