import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import type { FileStore } from '../files/file-store.ts'
import { diskFiles } from '../files/disk-files.ts'
import { StorageError } from '../errors.ts'
import { anMp4, aWebm, box, PLACE } from '../testing/a-video.ts'
import { blankedVideo, type FindBlanks } from './video.ts'
import { findMp4Metadata } from './mp4.ts'
import { findWebmMetadata } from './webm.ts'

let folder: string
let files: FileStore
let videos = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'videos-'))
  files = diskFiles(folder)
})
afterAll(() => rm(folder, { recursive: true }))

async function shown(video: Uint8Array, find: FindBlanks): Promise<Buffer> {
  videos += 1
  await files.write(`videos/${videos}`, video)
  const chunks: Uint8Array[] = []
  for await (const chunk of blankedVideo(files, `videos/${videos}`, find)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

it.each<[string, Buffer, FindBlanks]>([
  ['an MP4', anMp4(), findMp4Metadata],
  ['a WebM', aWebm(), findWebmMetadata],
  ['a WebM as browsers record it', aWebm({ isOpen: true }), findWebmMetadata],
])('strips place and time from %s without moving the picture and sound bytes', async (_, video, find) => {
  const face = await shown(video, find)

  expect(video.includes(PLACE) && video.includes('TAKENNOW')).toBe(true)
  expect([face.includes(PLACE), face.includes('TAKENNOW')]).toEqual([false, false])
  expect([face.length, face.indexOf('frames')]).toEqual([video.length, video.indexOf('frames')])
  expect((await shown(face, find)).equals(face)).toBe(true)
})

it.each<[string, Buffer, FindBlanks]>([
  ['a GPS track in an MP4', anMp4('meta'), findMp4Metadata],
  ['subtitles in a WebM', aWebm({ type: 17 }), findWebmMetadata],
])('refuses a video whose track contains %s', async (_, video, find) => {
  await expect(shown(video, find)).rejects.toMatchObject({ code: 'InvalidMimeType' })
})

it('refuses a video with an MP4 metadata box that exceeds the file', async () => {
  const video = Buffer.concat([box('ftyp'), Buffer.from('00000fff6d6f6f76', 'hex'), Buffer.alloc(20)])

  await expect(shown(video, findMp4Metadata)).rejects.toThrow(RangeError)
})

it('returns metadata ranges inside the file or an error for every damaged video', async () => {
  const originals = [
    [anMp4(), findMp4Metadata],
    [aWebm(), findWebmMetadata],
    [aWebm({ isOpen: true }), findWebmMetadata],
  ] as const
  const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 })

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...originals),
      damage,
      fc.nat(),
      async (...[[original, find], changes, cut]) => {
        const video = Buffer.from(original)
        for (const [at, byte] of changes) video.writeUInt8(byte, at % video.length)
        const rest = video.subarray(0, Math.max(16, video.length - (cut % 40)))
        const read = async (start: number, length: number) => rest.subarray(start, start + length)
        try {
          const blanks = await find(read, rest.length)
          expect(blanks.every(({ start, end }) => start <= end && end <= rest.length)).toBe(true)
        } catch (error) {
          expect(error instanceof RangeError || error instanceof StorageError, String(error)).toBe(true)
        }
      },
    ),
    runs(2000),
  )
})
