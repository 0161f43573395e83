import { useEffect, useRef, useState } from 'react'
import { useLatest } from '#app/ui/use-latest.ts'
import { preparePicture, UnusablePictureError } from './prepare-picture.ts'
import { uploadPicture } from './upload-picture.ts'

export interface PictureUpload {
  id: string
  file: File
  previewUrl: string
  state: { kind: 'sending'; share: number } | { kind: 'failed'; message: string; canRetry: boolean }
}

/** Uploads pictures one at a time, in the chosen order. Calls `onDone` with the address of each file, also after an unmount. */
export function useUploads(onDone: (address: string, file: File) => void) {
  const [uploads, setUploads] = useState<PictureUpload[]>([])
  const queue = useRef(Promise.resolve())
  const done = useLatest(onDone)
  const previews = useRef(new Set<string>())
  useEffect(() => {
    const urls = previews.current
    return () => urls.forEach((url) => URL.revokeObjectURL(url))
  }, [])

  const set = (id: string, state: PictureUpload['state']) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, state } : upload)))
  const discard = (id: string) => setUploads((before) => before.filter((upload) => upload.id !== id))

  async function send({ id, file }: PictureUpload): Promise<void> {
    try {
      const address = await uploadPicture(await preparePicture(file), (share) =>
        set(id, { kind: 'sending', share }),
      )
      discard(id)
      done()(address, file)
    } catch (error) {
      const message = error instanceof Error ? error.message : 'The picture was not uploaded.'
      set(id, { kind: 'failed', message, canRetry: !(error instanceof UnusablePictureError) })
    }
  }
  const enqueue = (upload: PictureUpload) => {
    queue.current = queue.current.then(() => send(upload))
  }

  return {
    uploads,
    add: (files: File[]) => {
      const chosen = files.map((file): PictureUpload => {
        const previewUrl = URL.createObjectURL(file)
        previews.current.add(previewUrl)
        return { id: crypto.randomUUID(), file, previewUrl, state: { kind: 'sending', share: 0 } }
      })
      setUploads((before) => [...before, ...chosen])
      chosen.forEach(enqueue)
    },
    retry: (upload: PictureUpload) => {
      set(upload.id, { kind: 'sending', share: 0 })
      enqueue(upload)
    },
    discard,
  }
}
