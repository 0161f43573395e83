import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import { stripPng, stripWebp } from './chunks.ts'
import { blankHeif } from './heif.ts'
import { stripGif } from './gif.ts'
import { diskFiles } from '../files/disk-files.ts'
import { stripJpeg } from './jpeg.ts'
import { createMetadataStripper } from './strip-metadata.ts'

const FORMATS = { jpeg: stripJpeg, png: stripPng, webp: stripWebp, avif: blankHeif } as const
type Format = keyof typeof FORMATS
const formats: Format[] = ['jpeg', 'png', 'webp', 'avif']

/** A rotated photograph with GPS position and camera name. */
function aPhotograph(format: Format): Promise<Buffer> {
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
    .toFormat(format)
    .toBuffer()
}

describe.each(formats)('a public %s', (format) => {
  it('removes a picture’s camera metadata and preserves the pixels', async () => {
    const original = await aPhotograph(format)

    const face = FORMATS[format](original)

    expect(original.includes('PhoneOfThandi')).toBe(true)
    expect(face.includes('PhoneOfThandi')).toBe(false)
    expect(await pixels(face)).toEqual(await pixels(original))
  })

  it('returns identical bytes for a picture without metadata', async () => {
    const plain = await sharp(await aPhotograph(format))
      .toFormat(format)
      .toBuffer()

    expect(FORMATS[format](plain).equals(plain)).toBe(true)
  })
})

it('keeps a photograph’s orientation when the other metadata is removed', async () => {
  const face = stripJpeg(await aPhotograph('jpeg'))

  expect((await sharp(face).metadata()).orientation).toBe(6)
})

it.each([
  ['fill bytes', [0xff, 0xff]],
  ['bytes that are no marker', [0x00, 0x12]],
  ['an escaped byte', [0xff, 0x00]],
  ['a restart', [0xff, 0xd0]],
  ['another start of a picture', [0xff, 0xd8]],
])('removes EXIF that follows %s, which decoders skip', async (...[, skipped]) => {
  const original = await aPhotograph('jpeg')
  const exifAt = original.indexOf(Buffer.from([0xff, 0xe1]))
  const parts = [original.subarray(0, exifAt), Buffer.from(skipped), original.subarray(exifAt)]

  const face = stripJpeg(Buffer.concat(parts))

  expect(face.includes('PhoneOfThandi')).toBe(false)
  expect(await pixels(face)).toEqual(await pixels(original))
})

const block = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])

/** An animated GIF with two frames, without and with comments and XMP. */
async function aGif(): Promise<{ plain: Buffer; withMetadata: Buffer }> {
  const { width, height, channels } = { width: 8, height: 8, channels: 3 } as const
  const frames = Buffer.alloc(width * height * 2 * channels, 90).fill(200, width * height * channels)
  const plain = await sharp(frames, { raw: { width, height: height * 2, channels, pageHeight: height } })
    .gif({ loop: 0, delay: [100, 100] })
    .toBuffer()
  const start = 13 + 3 * 2 ** ((plain.readUInt8(10) & 7) + 1)
  const comment = [Buffer.from([0x21, 0xfe]), block('33.6 S, PhoneOfThandi'), Buffer.from([0])]
  const xmp = [Buffer.from([0x21, 0xff]), block('XMP DataXMP'), block('<exif:GPSLatitude>'), Buffer.from([0])]
  const withMetadata = Buffer.concat([plain.subarray(0, start), ...comment, ...xmp, plain.subarray(start)])
  return { plain, withMetadata: Buffer.concat([withMetadata, Buffer.from('a video with GPS')]) }
}

it('shows no copy of a photograph that an older version has made with its place', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copies-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = diskFiles(folder)
  const original = await aPhotograph('jpeg')
  const about = { contentType: 'image/jpeg', cacheControl: '' }
  for (const key of ['objects/ab', 'derivatives/ab/public-face']) await files.write(key, original, about)
  const content = {
    ...about,
    key: 'objects/ab',
    size: original.length,
    eTag: '"of-2.0.0"',
    lastModified: new Date('2026-01-01T00:00:00Z'),
  }
  const photograph = { id: '', name: '', version: 'ab', metadata: { mimetype: 'image/jpeg' } }

  const strip = createMetadataStripper(files)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these are read
  const show = () => strip(photograph as never, { content, isPublic: true })
  const [shown, shownAgain] = [await show(), await show()]

  const bytes = Buffer.from(await new Response(await files.read(shown.key)).arrayBuffer())
  expect(bytes.includes('PhoneOfThandi')).toBe(false)
  // A cache that asks whether the older copy is unchanged must get the new one.
  expect([shown.eTag, shownAgain.eTag]).not.toContain(content.eTag)
  expect(shownAgain.eTag).toBe(shown.eTag)
  expect(shown.lastModified > content.lastModified).toBe(true)
  expect(shownAgain.lastModified).toEqual(shown.lastModified)
})

it('keeps a GIF’s frames and timing and removes comments', async () => {
  const { plain, withMetadata } = await aGif()

  expect(stripGif(withMetadata).equals(stripGif(plain))).toBe(true)
  expect(stripGif(withMetadata).includes('PhoneOfThandi')).toBe(false)
  const { pages, loop, delay } = await sharp(stripGif(withMetadata), { animated: true }).metadata()
  expect({ pages, loop, delay }).toEqual({ pages: 2, loop: 0, delay: [100, 100] })
})

it('removes data that follows the end of a picture', async () => {
  const plain = await sharp(await aPhotograph('jpeg'))
    .jpeg()
    .toBuffer()

  const face = stripJpeg(Buffer.concat([plain, Buffer.from('a video with GPS')]))

  expect(face.equals(plain)).toBe(true)
})

it('returns a picture or an error for every damaged picture', async () => {
  const strips = [...formats.map((format) => FORMATS[format]), stripGif]
  const photographs = await Promise.all(formats.map((format) => aPhotograph(format)))
  const originals = [...photographs, (await aGif()).withMetadata]
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 })

  fc.assert(
    fc.property(fc.nat(strips.length - 1), damage, fc.nat(), (which, changes, cut) => {
      const file = Buffer.from(originals[which] ?? [])
      for (const [at, byte] of changes) file.writeUInt8(byte, at % Math.min(400, file.length))
      const strip = strips[which] ?? stripJpeg
      try {
        strip(file.subarray(0, Math.max(16, cut % file.length)))
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    runs(2000),
  )
})

it.each([
  ['JPEG', stripJpeg, Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xfe, 0, 2])],
  ['PNG', stripPng, Buffer.alloc(8), Buffer.from('\0\0\0\0tEXt\0\0\0\0')],
  ['WebP', stripWebp, Buffer.from('RIFF\xff\xff\xff\x7fWEBP', 'latin1'), Buffer.from('EXIF\0\0\0\0')],
  ['GIF', stripGif, Buffer.alloc(13), Buffer.from([0x21, 0xfe, 0])],
])('refuses a %s of more parts than a camera or editor writes', (...[, strip, start, part]) => {
  const made = (parts: number) => Buffer.concat([start, Buffer.alloc(parts * part.length, part)])

  expect(() => strip(made(100_000))).toThrow('too many parts')
  expect(() => strip(made(15_000))).not.toThrow('too many parts')
})

interface Extent {
  offset: number
  length: number
}

function box(type: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

function numbers(bytes: 0 | 2 | 4, ...values: number[]): Buffer {
  const all = Buffer.alloc(bytes * values.length)
  if (bytes > 0) for (const [index, value] of values.entries()) all.writeUIntBE(value, index * bytes, bytes)
  return all
}

const CONTENT_AT = 24

/** A HEIF with one Exif item. `bytes` is the size of each number of its extents: 0 means that the index does not contain them. */
function aHeif({
  content,
  extents,
  bytes = 4,
}: {
  content: Buffer
  extents: Extent[]
  bytes?: 0 | 4
}): Buffer {
  const infe = box('infe', Buffer.from([2, 0, 0, 0]), numbers(2, 1, 0), Buffer.from('Exif\0'))
  const iloc = box(
    'iloc',
    Buffer.from([0, 0, 0, 0, (bytes << 4) | bytes, 0]),
    numbers(2, 1, 1, 0, extents.length),
    ...extents.map(({ offset, length }) => numbers(bytes, offset, length)),
    Buffer.alloc(8),
  )
  const meta = box('meta', Buffer.alloc(4), box('iinf', Buffer.from([0, 0, 0, 0, 0, 1]), infe), iloc)
  return Buffer.concat([box('ftyp', Buffer.from('heic0000')), box('mdat', content), meta])
}

describe('the index of a HEIF', () => {
  it('removes metadata that hundreds of extents of a HEIF contain', () => {
    const content = Buffer.alloc(8 * 800, 'PLACEpix')
    const extents = Array.from({ length: 800 }, (_, index) => ({ offset: CONTENT_AT + 8 * index, length: 5 }))

    const face = blankHeif(aHeif({ content, extents }))

    expect(face.subarray(CONTENT_AT, CONTENT_AT + 8 * 800)).toEqual(Buffer.alloc(8 * 800, '\0\0\0\0\0pix'))
  })

  it('refuses a HEIF whose index names more extents than a camera writes', () => {
    const extents = Array.from({ length: 65_535 }, () => ({ offset: 0, length: 0 }))

    expect(() => blankHeif(aHeif({ content: Buffer.alloc(8), extents, bytes: 0 }))).toThrow(RangeError)
  })

  it('overwrites the bytes of a HEIF once although thousands of extents overlap', () => {
    const content = Buffer.alloc(16 * 1024 * 1024, 'PLACE')
    const extents = Array.from({ length: 9_000 }, () => ({ offset: CONTENT_AT, length: content.length }))
    const file = aHeif({ content, extents })
    const before = process.cpuUsage()

    const face = blankHeif(file)

    // Writing all of it 9 000 times takes several seconds of the processor.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
    expect(face.includes('PLACE')).toBe(false)
  })
})

function pixels(picture: Buffer): Promise<Buffer> {
  return sharp(picture).raw().toBuffer()
}
