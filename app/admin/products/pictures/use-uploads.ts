import { useEffect, useRef, useState } from 'react'
import { useLatest } from '#app/ui/use-latest.ts'
import { preparePicture, UnusablePictureError } from './prepare-picture.ts'
import { uploadPicture } from './upload-picture.ts'

export interface PictureUpload {
  id: string
  /** The row that gets the picture: the product's or a colour's. */
  row: string
  file: File
  previewUrl: string
  state: { kind: 'sending'; share: number } | { kind: 'failed'; message: string; canRetry: boolean }
}

/** Uploads pictures one at a time, in the chosen order. Calls `onDone` with the address of each one that is not discarded. */
export function useUploads(onDone: (address: string, row: string) => void) {
  const [uploads, setUploads] = useState<PictureUpload[]>([])
  const queue = useRef(Promise.resolve())
  const done = useLatest(onDone)
  const discarded = useRef(new Set<string>())
  const previews = useRef(new Set<string>())
  useEffect(() => {
    const urls = previews.current
    return () => urls.forEach((url) => URL.revokeObjectURL(url))
  }, [])

  const set = (id: string, state: PictureUpload['state']) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, state } : upload)))
  const remove = (id: string) => setUploads((before) => before.filter((upload) => upload.id !== id))
  const discard = ({ id }: PictureUpload) => {
    discarded.current.add(id)
    remove(id)
  }

  async function send({ id, row, file }: PictureUpload): Promise<void> {
    if (discarded.current.has(id)) return
    try {
      const address = await uploadPicture(await preparePicture(file), (share) =>
        set(id, { kind: 'sending', share }),
      )
      remove(id)
      if (!discarded.current.has(id)) done()(address, row)
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
    add: (row: string, files: File[]) => {
      const chosen = files.map((file): PictureUpload => {
        const previewUrl = URL.createObjectURL(file)
        previews.current.add(previewUrl)
        return { id: crypto.randomUUID(), row, file, previewUrl, state: { kind: 'sending', share: 0 } }
      })
      setUploads((before) => [...before, ...chosen])
      chosen.forEach(enqueue)
    },
    retry: (upload: PictureUpload) => {
      set(upload.id, { kind: 'sending', share: 0 })
      enqueue(upload)
    },
    discard,
    /** Discards the row's uploads, because another picture was chosen for the row. */
    discardOf: (row: string) => uploads.filter((upload) => upload.row === row).forEach(discard),
  }
}

export type Uploads = ReturnType<typeof useUploads>
