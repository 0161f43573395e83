import { useEffect, useRef, useState } from 'react'
import { MAX_PHOTOS, notAnImageError, validatePhoto, type PhotoError } from '#domain/validation/gallery.ts'
import { preparePhoto } from './prepare-photo.ts'
import { loadUploads, type Photo } from './send-catch.ts'

/** The photos chosen so far. What cannot be taken is skipped and told. */
export function usePhotos(tell: (objection: PhotoError) => void) {
  const [photos, setPhotos] = useState<Photo[]>([])
  const [skipped, setSkipped] = useState<string[]>([])
  const lastId = useRef(0)
  const current = useRef(photos)
  useEffect(() => {
    current.current = photos
  })
  useEffect(() => () => current.current.forEach(forget), [])

  function object(objection: PhotoError) {
    tell(objection)
    setSkipped((before) => [...before, objection.description])
  }

  async function add(files: File[]): Promise<void> {
    setSkipped([])
    // If it fails, sending tries again.
    loadUploads().catch(() => undefined)
    const checked = await Promise.all(files.map(checkPhoto))
    const fresh = checked.filter((photo) => photo !== null)
    const room = MAX_PHOTOS - current.current.length
    fresh.slice(room).forEach(forget)
    if (fresh.length > room) {
      object({ title: 'Too many photos', description: `Please send at most ${MAX_PHOTOS} at a time` })
    }
    setPhotos((before) => [...before, ...fresh.slice(0, room)])
  }

  async function checkPhoto(file: File): Promise<Photo | null> {
    const objection = validatePhoto(file)
    const content = objection ? null : await preparePhoto(file)
    if (!content) {
      object(objection ?? notAnImageError(file.name))
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
    forget(photo)
    setPhotos((before) => before.filter(({ id }) => id !== photo.id))
  }

  function markSent({ id }: Photo, sentTo: string) {
    setPhotos((before) => before.map((photo) => (photo.id === id ? { ...photo, sentTo } : photo)))
  }

  /** All are to be uploaded again. */
  function markUnsent() {
    setPhotos((before) => before.map((photo) => ({ ...photo, sentTo: undefined })))
  }

  function clear() {
    photos.forEach(forget)
    setPhotos([])
    setSkipped([])
  }

  return { photos, skipped, add, remove, markSent, markUnsent, clear }
}

function forget({ previewUrl }: Photo) {
  URL.revokeObjectURL(previewUrl)
}
