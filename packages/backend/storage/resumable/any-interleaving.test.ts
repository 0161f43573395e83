import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import {
  STORED,
  startUpload,
  uploadUrlOf,
  offsetOf,
  openPart,
  openTusService,
  sendPart,
  type TusService,
} from './testing/tus-service.ts'

let tus: TusService
beforeAll(async () => {
  tus = await openTusService()
  await tus.auth.database.owner.query(`insert into storage.buckets (id, name) values ('videos', 'videos')`)
})
afterAll(async () => {
  await tus.close()
  expect(tus.failures).toEqual([])
})

/** Events during an upload; `share` is relative to its size. */
type UploadEvent =
  | { kind: 'part'; share: number }
  | { kind: 'cut'; share: number }
  | { kind: 'twice'; share: number }
  | { kind: 'wrong offset'; by: number }
  | { kind: 'restart' }

const share = fc.double({ min: 0, max: 1, noNaN: true })
const step: fc.Arbitrary<UploadEvent> = fc.oneof(
  fc.record({ kind: fc.constant('part' as const), share }),
  fc.record({ kind: fc.constant('cut' as const), share }),
  fc.record({ kind: fc.constant('twice' as const), share }),
  fc.record({ kind: fc.constant('wrong offset' as const), by: fc.integer({ min: 1, max: 99 }) }),
  fc.record({ kind: fc.constant('restart' as const) }),
)

interface Running {
  location: string
  content: Buffer
  offset: number
}

async function take(one: UploadEvent, { location, content, offset }: Running): Promise<void> {
  const send = (length: number, from = offset) =>
    sendPart(location, { headers: tus.secret, offset: from, body: content.subarray(from, from + length) })
  if (one.kind === 'restart') return tus.restart()
  if (one.kind === 'wrong offset') {
    const answer = await send(0, offset + one.by)
    expect(answer.status).toBe(409)
    return
  }
  const length = Math.floor(one.share * (content.length - offset))
  if (one.kind === 'part') expect((await send(length)).status).toBe(204)
  else if (one.kind === 'cut') await cutAfter(Math.max(0, length - 1), { location, content, offset })
  else {
    const statuses = (await Promise.all([send(length), send(length)])).map(({ status }) => status)
    expect(statuses.every((status) => [204, 409, 423].includes(status))).toBe(true)
  }
}

async function cutAfter(length: number, { location, content, offset }: Running): Promise<void> {
  const body = content.subarray(offset, offset + length)
  const sending = openPart(location, { headers: tus.secret, offset, body }, content.length - offset)
  if (length > 0)
    await vi.waitFor(async () => expect(await tus.unfinishedBytes()).toBe(offset + length), STORED)
  sending.destroy()
}

it('assembles every uploaded file after random connection losses, repeats, wrong offsets and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 200_000 }),
      fc.array(step, { maxLength: 8 }),
      async (size, steps) => {
        await tus.clear()
        const content = randomBytes(size)
        const path = crypto.randomUUID()
        const asked = { headers: tus.secret, bucket: 'videos', path, size }
        const location = uploadUrlOf(tus.endpoint, await startUpload(tus.endpoint, asked))
        let offset = 0
        for (const one of steps) {
          if (offset < size) await take(one, { location, content, offset })
          const after = await offsetOf(location, tus.secret)
          expect(after).toBeGreaterThanOrEqual(offset)
          offset = after
        }
        if (offset < size)
          await sendPart(location, { headers: tus.secret, offset, body: content.subarray(offset) })

        const { data } = await tus.service.storage.from('videos').download(path)
        expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()).equals(content)).toBe(true)
        expect(await tus.unfinishedBytes()).toBe(0)
      },
    ),
    runs(25),
  )
})
