import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { loadStaffBackend } from '#app/data/staff-backend.ts'

const PUBLIC_PREFIX = '/storage/v1/object/public/gallery/'
const PRIVATE_BUCKET = 'gallery-private'
/** Longer than the list stays open without a reload. */
const SIGNED_FOR_SECONDS = 12 * 3600
const URLS_PER_REQUEST = 500

interface PhotoSource {
  id: string
  status: string
  image_urls: string[]
}

/** Returns the photo URLs that staff can open, by submission id. */
export function useViewablePhotos(submissions: PhotoSource[]) {
  const sources = submissions.map(({ id, status, image_urls }) => ({ id, status, image_urls }))
  return useQuery({
    queryKey: ['gallery', 'photos', sources],
    queryFn: () => viewablePhotos(sources),
    placeholderData: keepPreviousData,
    // New signatures are new URLs, so the browser would download every photo again.
    staleTime: (SIGNED_FOR_SECONDS * 1000) / 2,
  })
}

/** Approved photos have public URLs; all others are in a private bucket and need signed URLs. */
async function viewablePhotos(submissions: PhotoSource[]): Promise<Map<string, string[]>> {
  const privateUrls = submissions
    .filter(({ status }) => status !== 'approved')
    .flatMap(({ image_urls }) => image_urls.filter((url) => url.startsWith(PUBLIC_PREFIX)))
  const signed = await signAll(privateUrls.map((url) => url.slice(PUBLIC_PREFIX.length)))
  return new Map(
    submissions.map(({ id, image_urls }) => [
      id,
      image_urls.map((url) => signed.get(url.slice(PUBLIC_PREFIX.length)) ?? url),
    ]),
  )
}

async function signAll(names: string[]): Promise<Map<string, string>> {
  const signed = new Map<string, string>()
  if (names.length === 0) return signed
  const files = (await loadStaffBackend()).storage.from(PRIVATE_BUCKET)
  const batches = Array.from({ length: Math.ceil(names.length / URLS_PER_REQUEST) }, (_, batch) =>
    files.createSignedUrls(
      names.slice(batch * URLS_PER_REQUEST, (batch + 1) * URLS_PER_REQUEST),
      SIGNED_FOR_SECONDS,
    ),
  )
  for (const { data, error } of await Promise.all(batches)) {
    if (error) throw error
    for (const { path, signedUrl } of data) if (path && signedUrl) signed.set(path, signedUrl)
  }
  return signed
}
