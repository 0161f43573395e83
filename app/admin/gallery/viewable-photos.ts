import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { loadStaffBackend } from '#app/data/staff-backend.ts'

const PUBLIC_PREFIX = '/storage/v1/object/public/gallery/'
const PRIVATE_BUCKET = 'gallery-private'
/** Longer than the list stays open without a reload. */
const SIGNED_FOR_SECONDS = 12 * 3600
const RENEWED_AFTER_MS = (SIGNED_FOR_SECONDS * 1000) / 2
const URLS_PER_REQUEST = 500

interface PhotoSource {
  id: string
  status: string
  image_urls: string[]
}

/** A signed URL of a private photo. A new signature is a new URL, so the browser would download the photo again. */
interface Signature {
  url: string
  signedAt: number
}

/** By the photo's file name. */
export type Signatures = Map<string, Signature>

/** The photo URLs that staff can open, by submission id; without submissions of which a photo cannot be opened. */
export type ViewablePhotos = Map<string, string[]>

/** Approving publishes a photo, so one whose URL has not loaded, or whose file is missing, cannot be approved. */
export function isUnseen({ id }: Pick<PhotoSource, 'id'>, photos: ViewablePhotos | undefined): boolean {
  return !photos?.has(id)
}

export function useViewablePhotos(submissions: PhotoSource[]) {
  // Each review changes the query key and loads the photos again; signed photos keep their URLs.
  const signatures = useRef<Signatures>(new Map())
  const sources = submissions.map(({ id, status, image_urls }) => ({ id, status, image_urls }))
  return useQuery({
    queryKey: ['gallery', 'photos', sources],
    queryFn: () => loadViewablePhotos(sources, signatures.current),
    placeholderData: keepPreviousData,
    staleTime: RENEWED_AFTER_MS,
  })
}

/** Approved photos have public URLs; all others are in a private bucket and need signed URLs, which `signatures` keeps. */
export async function loadViewablePhotos(
  submissions: PhotoSource[],
  signatures: Signatures,
): Promise<ViewablePhotos> {
  const privateNames = submissions
    .filter(({ status }) => status !== 'approved')
    .flatMap(({ image_urls }) => image_urls.flatMap((url) => privateName(url) ?? []))
  await sign(
    privateNames.filter((name) => !isCurrent(signatures.get(name))),
    signatures,
  )
  return new Map(
    submissions.flatMap(({ id, status, image_urls }) => {
      const urls = image_urls.flatMap((url) => (status === 'approved' ? url : openUrl(url, signatures)))
      return urls.length < image_urls.length ? [] : [[id, urls] as const]
    }),
  )
}

/** Returns nothing for a private photo without a signature: its public URL shows nothing. */
function openUrl(url: string, signatures: Signatures): string | [] {
  const name = privateName(url)
  return name === null ? url : (signatures.get(name)?.url ?? [])
}

function privateName(url: string): string | null {
  return url.startsWith(PUBLIC_PREFIX) ? url.slice(PUBLIC_PREFIX.length) : null
}

function isCurrent(signature: Signature | undefined): boolean {
  return signature !== undefined && Date.now() - signature.signedAt < RENEWED_AFTER_MS
}

/** Adds new signed URLs to `signatures`. */
async function sign(names: string[], signatures: Signatures): Promise<void> {
  if (names.length === 0) return
  const signedAt = Date.now()
  const files = (await loadStaffBackend()).storage.from(PRIVATE_BUCKET)
  const batches = Array.from({ length: Math.ceil(names.length / URLS_PER_REQUEST) }, (_, batch) =>
    files.createSignedUrls(
      names.slice(batch * URLS_PER_REQUEST, (batch + 1) * URLS_PER_REQUEST),
      SIGNED_FOR_SECONDS,
    ),
  )
  for (const { data, error } of await Promise.all(batches)) {
    if (error) throw error
    for (const { path, signedUrl } of data)
      if (path && signedUrl) signatures.set(path, { url: signedUrl, signedAt })
  }
}
