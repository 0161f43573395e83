import { useEffect, useRef, useState } from 'react'
import { MAX_PHOTOS, notAnImageError, validatePhoto, type PhotoError } from '#domain/validation/gallery.ts'
import { preparePhoto } from './prepare-photo.ts'
import { loadUploads, type Photo } from './send-catch.ts'

/** The chosen photos. Invalid files are skipped and reported. */
export function usePhotos(report: (error: PhotoError) => void) {
  const [photos, setPhotos] = useState<Photo[]>([])
  const [skipped, setSkipped] = useState<string[]>([])
  const lastId = useRef(0)
  // The state is too late for a caller that has waited for photos.
  const current = useRef(photos)
  const preparing = useRef(new Set<Promise<void>>())
  useEffect(() => () => current.current.forEach(revokePreview), [])

  function update(change: (previous: Photo[]) => Photo[]) {
    current.current = change(current.current)
    setPhotos(current.current)
  }

  function reject(error: PhotoError) {
    report(error)
    setSkipped((previous) => [...previous, error.description])
  }

  async function add(files: File[]): Promise<void> {
    const added = prepare(files)
    preparing.current.add(added)
    await added.finally(() => preparing.current.delete(added))
  }

  /** Returns all chosen photos, also those that are still being decoded or converted. */
  async function prepared(): Promise<Photo[]> {
    await Promise.allSettled(preparing.current)
    return current.current
  }

  async function prepare(files: File[]): Promise<void> {
    setSkipped([])
    // A failed load is retried on submit.
    loadUploads().catch(() => undefined)
    const checked = await Promise.all(files.map(checkPhoto))
    const valid = checked.filter((photo) => photo !== null)
    const room = MAX_PHOTOS - current.current.length
    valid.slice(room).forEach(revokePreview)
    if (valid.length > room) {
      reject({ title: 'Too many photos', description: `Please send at most ${MAX_PHOTOS} at a time` })
    }
    update((previous) => [...previous, ...valid.slice(0, room)])
  }

  async function checkPhoto(file: File): Promise<Photo | null> {
    const error = validatePhoto(file)
    const content = error ? null : await preparePhoto(file)
    if (!content) {
      reject(error ?? notAnImageError(file.name))
      return null
    }
    lastId.current += 1
    return {
      id: `photo-${lastId.current}`,
      name: file.name,
      content,
      previewUrl: URL.createObjectURL(content),
    }
  }

  function remove(photo: Photo) {
    revokePreview(photo)
    update((previous) => previous.filter(({ id }) => id !== photo.id))
  }

  function markUploaded({ id }: Photo, uploadedUrl: string) {
    const uploaded = { uploadedUrl, submittedAs: undefined }
    update((previous) => previous.map((photo) => (photo.id === id ? { ...photo, ...uploaded } : photo)))
  }

  /** Ties all uploads to a submission that the shop may have saved. */
  function markSubmitted(submittedAs: string) {
    update((previous) => previous.map((photo) => ({ ...photo, submittedAs })))
  }

  /** Makes the next attempt upload all photos again. */
  function resetUploads() {
    update((previous) => previous.map((photo) => ({ ...photo, uploadedUrl: undefined })))
  }

  function clear() {
    current.current.forEach(revokePreview)
    update(() => [])
    setSkipped([])
  }

  const hasNone = () => current.current.length + preparing.current.size === 0

  return { photos, skipped, hasNone, prepared, add, remove, markUploaded, markSubmitted, resetUploads, clear }
}

function revokePreview({ previewUrl }: Photo) {
  URL.revokeObjectURL(previewUrl)
}
