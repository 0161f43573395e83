import { useEffect, useRef, useState } from 'react'
import { MAX_PHOTOS, notAnImageError, validatePhoto, type PhotoError } from '#domain/validation/gallery.ts'
import { preparePhoto } from './prepare-photo.ts'
import { loadUploads, type Photo } from './send-catch.ts'

/** The chosen photos. Invalid files are skipped and reported. */
export function usePhotos(report: (error: PhotoError) => void) {
  const [photos, setPhotos] = useState<Photo[]>([])
  const [skipped, setSkipped] = useState<string[]>([])
  const lastId = useRef(0)
  const current = useRef(photos)
  useEffect(() => {
    current.current = photos
  })
  useEffect(() => () => current.current.forEach(revokePreview), [])

  function reject(error: PhotoError) {
    report(error)
    setSkipped((previous) => [...previous, error.description])
  }

  async function add(files: File[]): Promise<void> {
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
    setPhotos((previous) => [...previous, ...valid.slice(0, room)])
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
    setPhotos((previous) => previous.filter(({ id }) => id !== photo.id))
  }

  function markUploaded({ id }: Photo, uploadedUrl: string) {
    setPhotos((previous) => previous.map((photo) => (photo.id === id ? { ...photo, uploadedUrl } : photo)))
  }

  /** Makes the next attempt upload all photos again. */
  function resetUploads() {
    setPhotos((previous) => previous.map((photo) => ({ ...photo, uploadedUrl: undefined })))
  }

  function clear() {
    photos.forEach(revokePreview)
    setPhotos([])
    setSkipped([])
  }

  return { photos, skipped, add, remove, markUploaded, resetUploads, clear }
}

function revokePreview({ previewUrl }: Photo) {
  URL.revokeObjectURL(previewUrl)
}
