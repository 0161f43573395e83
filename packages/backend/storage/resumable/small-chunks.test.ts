import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { usedMemory } from '#backend/testing/used-memory.ts'
import {
  openTusService,
  PART,
  startUpload,
  STORED,
  type TusService,
  uploadUrlOf,
} from './testing/tus-service.ts'

let tus: TusService
beforeAll(async () => {
  tus = await openTusService()
  await tus.auth.database.owner.query(`insert into storage.buckets (id, name) values ('videos', 'videos')`)
})
afterAll(() => tus.close())

it('takes less than 200 bytes of memory for each received chunk of a part that is still arriving', async () => {
  const size = 40_000
  const upload = { headers: tus.secret, bucket: 'videos', path: 'in-chunks', size }
  const location = uploadUrlOf(tus.endpoint, await startUpload(tus.endpoint, upload))
  const sending = request(location, {
    method: 'PATCH',
    headers: { ...PART, ...tus.secret, 'upload-offset': 0, 'transfer-encoding': 'chunked' },
  })
  const answered = once(sending, 'response')
  // The end of the test closes the connection if an assertion fails.
  answered.catch(() => undefined)
  sending.flushHeaders()
  const before = usedMemory()

  for (let sent = 1; sent < size; sent += 1) if (!sending.write('x')) await once(sending, 'drain')
  await vi.waitFor(async () => expect(await tus.unfinishedBytes()).toBe(size - 1), STORED)

  expect((usedMemory() - before) / size).toBeLessThan(200)
  sending.end('x')
  const [answer] = await answered
  expect(answer.resume().statusCode).toBe(204)
})
