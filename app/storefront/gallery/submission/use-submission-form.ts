import { useState } from 'react'
import { limitSentence } from '#app/data/limit-sentence.ts'
import { useForm } from '#app/ui/form/use-form.ts'
import { useTask } from '#app/ui/form/use-task.ts'
import { useToast } from '#app/ui/toaster.tsx'
import {
  gallerySchema,
  missingFieldsError,
  noPhotosError,
  type PhotoError,
} from '#domain/validation/gallery.ts'
import { validate } from '#domain/validation/schema.ts'
import { PhotosExpiredError, sendCatch } from './send-catch.ts'
import { usePhotos } from './use-photos.ts'

const EMPTY = { name: '', email: '', description: '', productId: '', variantId: '' }
type Typed = typeof EMPTY

const validateFields = (typed: Typed) => validate(gallerySchema, typed)

interface Progress {
  /** Uploaded photos. */
  done: number
  total: number
  /** The uploaded share of the current photo, 0 to 1. */
  share: number
}

/** The gallery form's state. Photos and fields stay when validation or sending fails. */
export function useSubmissionForm() {
  const toast = useToast()
  const showError = (error: PhotoError) => toast({ ...error, tone: 'destructive' })
  const chosen = usePhotos(showError)
  const form = useForm<Typed>(EMPTY, validateFields)
  const [isBusy, setIsBusy] = useState(false)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [isDone, setIsDone] = useState(false)
  const { run } = useTask((error) => {
    if (error instanceof PhotosExpiredError) chosen.resetUploads()
    showError({
      title: 'Upload failed',
      description: limitSentence(error) ?? 'There was an error uploading your photos. Please try again.',
    })
  })

  async function submit() {
    const { values, errors } = validateFields(form.typed)
    form.showErrors(errors ?? {})
    if (chosen.hasNone()) return showError(noPhotosError)
    if (errors?.name || errors?.description) return showError(missingFieldsError)
    if (!values) return
    setIsDone(false)
    setIsBusy(true)
    await send(values).finally(() => {
      setIsBusy(false)
      setProgress(null)
    })
  }

  async function send(fields: NonNullable<ReturnType<typeof validateFields>['values']>) {
    const photos = await chosen.prepared()
    if (photos.length === 0) return showError(noPhotosError)
    const { productId, variantId } = form.typed
    let done = 0
    const show = (share: number) => setProgress({ done, total: photos.length, share })
    show(0)
    await sendCatch(
      { fields, photos, lure: { productId: productId || null, variantId: variantId || null } },
      {
        onProgress: show,
        onUploaded(photo, address) {
          chosen.markUploaded(photo, address)
          done += 1
          show(0)
        },
        onSubmit: chosen.markSubmitted,
      },
    )
    toast({
      title: 'Success!',
      description: `${photos.length} ${photos.length === 1 ? 'photo' : 'photos'} submitted for review.`,
    })
    chosen.clear()
    form.setTyped(EMPTY)
    setIsDone(true)
  }

  return { ...form, ...chosen, isBusy, progress, isDone, submit: () => void run(submit) }
}
