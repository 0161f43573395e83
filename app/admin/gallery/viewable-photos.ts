import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { loadBackend } from '#app/session/backend.ts'

const PUBLIC = '/storage/v1/object/public/gallery/'
const WAITING = 'gallery-private'
/** Longer than anybody sits over the gallery without the list being asked for again. */
const SIGNED_FOR_SECONDS = 12 * 3600
const AT_ONCE = 500

interface Hung {
  id: string
  status: string
  image_urls: string[]
}

/** By submission; what is on the screen stays there while the addresses of others are asked for. */
export function useViewablePhotos(submissions: Hung[]) {
  const hung = submissions.map(({ id, status, image_urls }) => ({ id, status, image_urls }))
  return useQuery({
    queryKey: ['gallery', 'photos', hung],
    queryFn: () => viewablePhotos(hung),
    placeholderData: keepPreviousData,
    // They are signed for longer than this, and signing again would fetch every photo again.
    staleTime: (SIGNED_FOR_SECONDS * 1000) / 2,
  })
}

/**
 * The addresses at which staff see the photos of each submission. Those of an approved one are public; all others lie in a
 * private bucket, and are signed for whoever may look at it.
 */
async function viewablePhotos(submissions: Hung[]): Promise<Map<string, string[]>> {
  const waiting = submissions
    .filter(({ status }) => status !== 'approved')
    .flatMap(({ image_urls }) => image_urls.filter((url) => url.startsWith(PUBLIC)))
  const signed = await signAll(waiting.map((url) => url.slice(PUBLIC.length)))
  return new Map(
    submissions.map(({ id, image_urls }) => [
      id,
      image_urls.map((url) => signed.get(url.slice(PUBLIC.length)) ?? url),
    ]),
  )
}

async function signAll(names: string[]): Promise<Map<string, string>> {
  const signed = new Map<string, string>()
  if (names.length === 0) return signed
  const files = (await loadBackend()).storage.from(WAITING)
  const batches = Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, batch) =>
    files.createSignedUrls(names.slice(batch * AT_ONCE, (batch + 1) * AT_ONCE), SIGNED_FOR_SECONDS),
  )
  for (const { data, error } of await Promise.all(batches)) {
    if (error) throw error
    for (const { path, signedUrl } of data) if (path && signedUrl) signed.set(path, signedUrl)
  }
  return signed
}
