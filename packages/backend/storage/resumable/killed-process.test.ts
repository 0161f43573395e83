import { randomBytes } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { type RunningBackend, startBackend } from '#backend/testing/running-backend.ts'
import { STORED, startUpload, uploadUrlOf, offsetOf, openPart, sendPart } from './testing/tus-service.ts'

let stored: TestFiles
let backend: RunningBackend
beforeAll(async () => {
  stored = await openTestFiles()
  backend = await startBackend('select 1', stored.options)
})
afterAll(async () => {
  await backend.stop()
  await stored.close()
})

async function storedBytes(): Promise<number> {
  for await (const { id } of stored.files.partial.list()) return stored.files.partial.size(id)
  return 0
}

it('resumes an upload at the received bytes after the process was killed', async () => {
  const content = randomBytes(3_000_000)
  const headers = { authorization: `Bearer ${backend.keys.secret}` }
  const endpoint = `${backend.url}/storage/v1/upload/resumable`
  const files = createClient(backend.url, backend.keys.secret, { auth: { persistSession: false } }).storage
  await files.createBucket('videos')
  const asked = { headers, bucket: 'videos', path: 'strike.mp4', size: content.length }
  const location = uploadUrlOf(endpoint, await startUpload(endpoint, asked))
  const sending = openPart(
    location,
    { headers, offset: 0, body: content.subarray(0, 1_000_000) },
    content.length,
  )
  await vi.waitFor(async () => expect(await storedBytes()).toBe(1_000_000), STORED)

  await backend.killAndRestart()
  sending.destroy()

  expect(await offsetOf(location, headers)).toBe(1_000_000)
  await sendPart(location, { headers, offset: 1_000_000, body: content.subarray(1_000_000) })
  const { data } = await files.from('videos').download('strike.mp4')
  expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer()).equals(content)).toBe(true)
  expect(await storedBytes()).toBe(0)
})
