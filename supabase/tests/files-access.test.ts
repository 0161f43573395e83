import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aPhoto } from '#test/gallery-photo.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { FILES, FILE_VERBS, type FileVerb } from './access.ts'

let shop: TestShop
let photo: Uint8Array<ArrayBuffer>
let uploader: Person
/** The headers of the seven callers, in the order of docs/access.md. */
let callers: Record<string, string>[]

beforeAll(async () => {
  shop = await openShop()
  photo = new Uint8Array(await aPhoto())
  uploader = await shop.signUp()
  const people = [uploader, await shop.signUp(), await shop.packer(), await shop.admin()]
  const apikey = shop.keys.publishable
  const tokens = await Promise.all(people.map(tokenOf))
  const signedIn = tokens.map((token) => ({ apikey, Authorization: `Bearer ${token}` }))
  callers = [{}, { apikey }, ...signedIn, { apikey: shop.keys.secret }]
})
afterAll(() => shop.close())

async function tokenOf({ client }: Person): Promise<string> {
  const { data } = await client.auth.getSession()
  return data.session?.access_token ?? ''
}

function nameIn(bucket: string): string {
  return bucket === 'catalogue' ? `uploads/${randomUUID()}.jpg` : `${randomUUID()}.jpg`
}

/** Uploads a file: as the customer where customers may upload, otherwise as the shop. */
async function place(bucket: string): Promise<string> {
  const name = nameIn(bucket)
  const isSentIn = bucket === 'gallery' || bucket === 'gallery-private'
  const client = isSentIn ? uploader.client : shop.serviceClient()
  const { error } = await client.storage.from(bucket).upload(name, photo, { contentType: 'image/jpeg' })
  if (error) throw error
  // Approving a submission moves its files like this.
  if (bucket === 'gallery') {
    await shop.database.owner.query(
      `update storage.objects set bucket_id = 'gallery' where bucket_id = 'gallery-private' and name = $1`,
      [name],
    )
  }
  return name
}

interface Attempt {
  bucket: string
  name: string
  caller: Record<string, string>
}

function send(verb: FileVerb, { bucket, name, caller }: Attempt): Promise<Response> {
  const asJson = { ...caller, 'Content-Type': 'application/json' }
  const asPhoto = { ...caller, 'Content-Type': 'image/jpeg' }
  const address = `/storage/v1/object/${bucket}/${name}`
  switch (verb) {
    case 'see':
      return shop.fetch(`/storage/v1/object/public/${bucket}/${name}`, { headers: caller })
    case 'download':
      return shop.fetch(address, { headers: caller })
    case 'list':
      return shop.fetch(`/storage/v1/object/list/${bucket}`, {
        method: 'POST',
        headers: asJson,
        body: JSON.stringify({ prefix: name.includes('/') ? 'uploads' : '', limit: 1000 }),
      })
    case 'upload':
      return shop.fetch(address, { method: 'POST', headers: asPhoto, body: photo })
    case 'replace':
      return shop.fetch(address, { method: 'PUT', headers: asPhoto, body: photo })
    case 'move':
      return shop.fetch('/storage/v1/object/move', {
        method: 'POST',
        headers: asJson,
        body: JSON.stringify({ bucketId: bucket, sourceKey: name, destinationKey: nameIn(bucket) }),
      })
    case 'remove':
      return shop.fetch(address, { method: 'DELETE', headers: caller })
  }
}

/** `+` success, `.` not found, `x` refused. */
async function signOf(answer: Response, name: string): Promise<string> {
  const text = await answer.text()
  const isEmptyList = text.startsWith('[') && !text.includes(name.replace('uploads/', ''))
  if (answer.ok) return isEmptyList ? '.' : '+'
  const { code } = JSON.parse(text)
  return code === 'NoSuchKey' || code === 'NoSuchBucket' ? '.' : 'x'
}

it('grants exactly the documented access to the files of each bucket', async () => {
  const measured: Partial<typeof FILES> = {}
  for (const bucket of Object.keys(FILES)) {
    const signs: Partial<Record<FileVerb, string>> = {}
    for (const verb of FILE_VERBS) {
      signs[verb] = ''
      for (const caller of callers) {
        const name = verb === 'upload' ? nameIn(bucket) : await place(bucket)
        signs[verb] += await signOf(await send(verb, { bucket, name, caller }), name)
      }
    }
    Object.assign(measured, { [bucket]: signs })
  }

  expect(measured).toEqual(FILES)
})

it('has no undocumented storage buckets', async () => {
  const { data } = await shop.serviceClient().storage.listBuckets()

  expect(data?.map(({ name }) => name).toSorted()).toEqual(Object.keys(FILES))
})

it('allows resumable uploads exactly to the buckets that allow plain uploads', async () => {
  // The uploads of the matrix have reached the rate limit of this address.
  await shop.database.owner.query(`delete from auth.rate_limits where bucket = 'upload'`)
  for (const [bucket, { upload }] of Object.entries(FILES)) {
    const begun = callers.map(async (caller) => {
      const metadata = { bucketName: bucket, objectName: nameIn(bucket), contentType: 'image/jpeg' }
      const answer = await shop.fetch('/storage/v1/upload/resumable', {
        method: 'POST',
        headers: {
          ...caller,
          'tus-resumable': '1.0.0',
          'upload-length': String(photo.length),
          'upload-metadata': Object.entries(metadata)
            .map(([name, value]) => `${name} ${btoa(value)}`)
            .join(','),
        },
      })
      return answer.status === 201 ? '+' : 'x'
    })

    expect((await Promise.all(begun)).join(''), bucket).toBe(upload)
  }
})
