import { createClient } from '@supabase/supabase-js'
import { beforeEach, expect, it, vi } from 'vitest'
import type { ShopClient, ShopDatabase } from '#database'
import { PhotosExpiredError, sendCatch, type CatchSubmission, type Photo } from './send-catch.ts'

const backend = vi.hoisted(() => ({ client: undefined as ShopClient | undefined }))
vi.mock('#app/data/backend.ts', () => ({ loadBackend: async () => backend.client }))

vi.mock('#app/data/resumable-upload.ts', () => ({
  uploadResumably: async ({ path }: { path: string }) => path,
}))

/** The bodies of the requests, by the last part of their paths. */
let sent: Map<string, unknown>
let save: () => Response
let notify: () => Response

const refusal = (details: string) => () =>
  Response.json({ code: 'P0001', message: 'Refused.', details, hint: null }, { status: 400 })

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  sent = new Map()
  save = () => Response.json({ id: 's1' }, { status: 201 })
  notify = () => Response.json({ success: true })
  backend.client = createClient<ShopDatabase>('https://shop.example', 'key', {
    global: {
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
        sent.set(name, await request.json())
        return name === 'gallery_submissions' ? save() : notify()
      },
    },
  })
})

/** A photo that an earlier attempt has uploaded. */
const photo = (number: number): Photo => ({
  id: `photo-${number}`,
  name: `${number}.jpg`,
  content: new Blob(['x']),
  previewUrl: '',
  uploadedUrl: `https://shop.example/${number}.jpg`,
})

const submission: CatchSubmission = {
  fields: { name: 'Sipho', email: '', description: 'A kingfish' },
  photos: [photo(1), photo(2)],
  lure: { productId: 'p1', variantId: null },
}

let uploaded: string[]
/** The content of the last attempt that reached the shop. */
let submitted: string
const send = (sending = submission) => {
  uploaded = []
  return sendCatch(sending, {
    onProgress: () => {},
    onUploaded: (_photo, address) => void uploaded.push(address),
    onSubmit: (content) => (submitted = content),
  })
}

it('submits the photos in their order for review, without an empty e-mail address', async () => {
  await send()

  const images = ['https://shop.example/1.jpg', 'https://shop.example/2.jpg']
  expect(uploaded).toEqual(images)
  expect(sent.get('gallery_submissions')).toEqual({
    customer_name: 'Sipho',
    email: null,
    description: 'A kingfish',
    image_url: images[0],
    image_urls: images,
    status: 'pending',
    product_id: 'p1',
    variant_id: null,
  })
  expect(sent.get('send-gallery-notification')).toMatchObject({ submissionId: 's1', imageUrl: images[0] })
})

it('counts photos as sent that an earlier attempt has submitted', async () => {
  save = refusal('photo_already_sent')

  await expect(send()).resolves.toBeUndefined()
})

it('uploads photos again for a text that was corrected after a lost response, and only then', async () => {
  vi.stubGlobal('location', new URL('https://shop.example'))
  save = () => Response.error()
  await expect(send()).rejects.toThrow()
  const first = uploaded
  const photos = submission.photos.map((known) => ({ ...known, submittedAs: submitted }))

  save = () => Response.json({ id: 's1' }, { status: 201 })
  await send({ ...submission, photos })
  expect(uploaded).toEqual(first)
  await send({ ...submission, photos, fields: { ...submission.fields, description: 'A garrick' } })
  expect(uploaded.filter((address) => first.includes(address))).toEqual([])
  expect(sent.get('gallery_submissions')).toMatchObject({ description: 'A garrick', image_urls: uploaded })
})

it('tells photos that the shop has deleted meanwhile from other failures', async () => {
  save = refusal('unknown_photo')
  await expect(send()).rejects.toBeInstanceOf(PhotosExpiredError)

  save = refusal('something_else')
  await expect(send()).rejects.not.toBeInstanceOf(PhotosExpiredError)
})

it('counts photos as sent although the shop’s notification fails', async () => {
  notify = () => Response.json({}, { status: 500 })

  await expect(send()).resolves.toBeUndefined()
})
