import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'

import { stripPng, stripWebp } from './chunks.ts'
import { blankHeif } from './heif.ts'
import { stripJpeg } from './jpeg.ts'

const KINDS = { jpeg: stripJpeg, png: stripPng, webp: stripWebp, avif: blankHeif } as const
type Kind = keyof typeof KINDS
const kinds: Kind[] = ['jpeg', 'png', 'webp', 'avif']

/** Taken sideways at 33°36′ south by a camera with a name. */
function aPhotograph(kind: Kind): Promise<Buffer> {
  return sharp({
    create: {
      width: 40,
      height: 20,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
      background: 'teal',
    },
  })
    .withExif({
      IFD0: { Model: 'PhoneOfThandi' },
      IFD3: { GPSLatitude: '33/1 36/1 0/1', GPSLatitudeRef: 'S' },
    })
    .withMetadata({ orientation: 6 })
    .toFormat(kind)
    .toBuffer()
}

describe.each(kinds)('of a %s strangers see', (kind) => {
  it('the same picture, and nothing of the camera', async () => {
    const original = await aPhotograph(kind)

    const face = KINDS[kind](original)

    expect(original.includes('PhoneOfThandi')).toBe(true)
    expect(face.includes('PhoneOfThandi')).toBe(false)
    expect(await pixels(face)).toEqual(await pixels(original))
  })

  it('the same file when there is nothing to hide', async () => {
    const plain = await sharp(await aPhotograph(kind))
      .toFormat(kind)
      .toBuffer()

    expect(KINDS[kind](plain).equals(plain)).toBe(true)
  })
})

it('keeps which way a photograph is held', async () => {
  const face = stripJpeg(await aPhotograph('jpeg'))

  expect((await sharp(face).metadata()).orientation).toBe(6)
})

it('cuts off what is hidden behind the picture', async () => {
  const plain = await sharp(await aPhotograph('jpeg'))
    .jpeg()
    .toBuffer()

  const face = stripJpeg(Buffer.concat([plain, Buffer.from('a film with GPS')]))

  expect(face.equals(plain)).toBe(true)
})

it('ends with every damaged file, in a result or a plain refusal', async () => {
  const originals = await Promise.all(kinds.map((kind) => aPhotograph(kind)))
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 })

  fc.assert(
    fc.property(fc.nat(kinds.length - 1), damage, fc.nat(), (which, changes, cut) => {
      const file = Buffer.from(originals[which] ?? [])
      for (const [at, byte] of changes) file.writeUInt8(byte, at % Math.min(400, file.length))
      const strip = KINDS[kinds[which] ?? 'jpeg']
      try {
        strip(file.subarray(0, Math.max(16, cut % file.length)))
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    { numRuns: 2000 },
  )
})

function pixels(picture: Buffer): Promise<Buffer> {
  return sharp(picture).raw().toBuffer()
}
