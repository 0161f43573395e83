import { createClient } from '@supabase/supabase-js'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ShopClient, ShopDatabase } from '#database'
import { isUnseen, loadViewablePhotos, type Signatures } from './viewable-photos.ts'

const backend = vi.hoisted(() => ({ client: undefined as ShopClient | undefined }))
vi.mock('#app/data/staff-backend.ts', () => ({ loadStaffBackend: async () => backend.client }))

/** The name of a file that the storage does not have. */
const MISSING = 'missing.jpg'
const HOUR_MS = 3_600_000

/** The names in each request for signatures. */
let asked: string[][]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  asked = []
  backend.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: async (input, init) => {
        const { paths }: { paths: string[] } = await new Request(input, init).json()
        asked.push(paths)
        const signatureOf = (path: string) => `/object/sign/gallery-private/${path}?token=${asked.length}`
        return Response.json(
          paths.map((path) =>
            path === MISSING
              ? {
                  path,
                  signedURL: null,
                  error: 'Either the object does not exist or you do not have access to it',
                }
              : { path, signedURL: signatureOf(path), error: null },
          ),
        )
      },
    },
  })
})

const photo = (id: string, status = 'pending') => ({
  id,
  status,
  image_urls: [`/storage/v1/object/public/gallery/${id}.jpg`],
})

it('keeps the addresses of gallery photos when another one is decided, and signs only new ones', async () => {
  const signatures: Signatures = new Map()
  const before = await loadViewablePhotos([photo('one'), photo('two')], signatures)
  expect(before.get('two')?.[0]).toContain('/sign/gallery-private/two.jpg?token=1')

  const after = await loadViewablePhotos([photo('one', 'approved'), photo('two'), photo('three')], signatures)

  expect(after.get('one')).toEqual(photo('one').image_urls)
  expect(after.get('two')).toEqual(before.get('two'))
  expect(asked).toEqual([['one.jpg', 'two.jpg'], ['three.jpg']])
})

it('signs a gallery photo again long before its address expires', async () => {
  const signatures: Signatures = new Map()
  await loadViewablePhotos([photo('one')], signatures)
  vi.setSystemTime(Date.now() + 7 * HOUR_MS)

  const after = await loadViewablePhotos([photo('one')], signatures)

  expect(after.get('one')?.[0]).toContain('token=2')
})

it('lets staff approve no gallery photo before its address has loaded, and none whose file is missing', async () => {
  expect(isUnseen(photo('one'), undefined)).toBe(true)

  const photos = await loadViewablePhotos([photo('one'), photo('missing')], new Map())

  expect(isUnseen(photo('one'), photos)).toBe(false)
  expect(isUnseen(photo('missing'), photos)).toBe(true)
  expect(isUnseen(photo('of the next page'), photos)).toBe(true)
})

it('keeps the address of a gallery photo that is not in the private bucket', async () => {
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'

  const photos = await loadViewablePhotos([{ ...photo('one'), image_urls: [picture] }], new Map())

  expect(photos.get('one')).toEqual([picture])
})
