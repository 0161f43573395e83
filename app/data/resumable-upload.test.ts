import { beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { uploadResumably } from './resumable-upload.ts'

const shop = vi.hoisted(() => ({
  answer: (): Response => Response.error(),
  refresh: async () => ({}),
}))
vi.mock('./backend.ts', () => ({
  fetchAsUser: async () => shop.answer(),
  signedInHeaders: () => shop.refresh(),
}))

beforeEach(installStorage)

const upload = () =>
  uploadResumably({ bucket: 'gallery', path: 'a.jpg', content: new Blob(['x']), onProgress: () => undefined })

it('passes on what the shop says about an upload at its limit', async () => {
  const message = 'The gallery cannot accept more photos today. Please try again tomorrow.'
  shop.answer = () => Response.json({ statusCode: '429', error: 'gallery_full', message }, { status: 429 })

  await expect(upload()).rejects.toMatchObject({ status: 429, message })
})

it('does not repeat an upload for which the disk is too full', async () => {
  const message = 'We can’t store more files right now. Please try again later.'
  shop.answer = () => new Response(message, { status: 507 })

  await expect(upload()).rejects.toMatchObject({ status: 507, message })
})

it('passes on no page of a proxy', async () => {
  const headers = { 'content-type': 'text/html' }
  shop.answer = () => new Response('<html>', { status: 429, headers })

  await expect(upload()).rejects.toMatchObject({ status: 429, message: '' })
})

it('resumes an upload whose session could not be refreshed before a part was sent', async () => {
  const start = new Response(null, { status: 201, headers: { location: '/started' } })
  const complete = new Response(null, { headers: { 'upload-offset': '1' } })
  const answers = [start, complete]
  shop.answer = () => answers.shift() ?? Response.error()
  shop.refresh = () => Promise.reject(new TypeError('fetch failed'))
  vi.stubGlobal('addEventListener', (_online: string, retry: () => void) => retry())
  vi.stubGlobal('removeEventListener', () => undefined)

  expect(await upload()).toBe('a.jpg')
  expect(answers).toEqual([])
})
