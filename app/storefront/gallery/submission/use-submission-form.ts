import { useRef, useState } from 'react'
import { useForm } from '#app/storefront/form/use-form.ts'
import { useToast } from '#app/ui/toaster.tsx'
import {
  gallerySchema,
  missingFieldsError,
  noPhotosError,
  type PhotoError,
} from '#domain/validation/gallery.ts'
import { validate } from '#domain/validation/schema.ts'
import { PhotosForgotten, sendCatch } from './send-catch.ts'
import { usePhotos } from './use-photos.ts'

const EMPTY = { name: '', email: '', description: '', productId: '', variantId: '' }
type Typed = typeof EMPTY

const validateWords = (typed: Typed) => validate(gallerySchema, typed)

interface Progress {
  /** Photos that are uploaded, … */
  done: number
  of: number
  /** … and the share of the next one, 0 to 1. */
  share: number
}

/** The gallery form's state. Photos and fields stay when validation or sending fails. */
export function useSubmissionForm() {
  const toast = useToast()
  const object = (objection: PhotoError) => toast({ ...objection, tone: 'destructive' })
  const chosen = usePhotos(object)
  const form = useForm<Typed>(EMPTY, validateWords)
  const [progress, setProgress] = useState<Progress | null>(null)
  const [isDone, setIsDone] = useState(false)
  const isSending = useRef(false)

  async function submit() {
    if (isSending.current) return
    const { values, errors } = validateWords(form.typed)
    form.showErrors(errors ?? {})
    if (chosen.photos.length === 0) return object(noPhotosError)
    if (errors?.name || errors?.description) return object(missingFieldsError)
    if (!values) return
    isSending.current = true
    setIsDone(false)
    try {
      await send(values)
    } catch (error) {
      console.error(error)
      if (error instanceof PhotosForgotten) chosen.markUnsent()
      object({
        title: 'Upload failed',
        description: 'There was an error uploading your photos. Please try again.',
      })
    } finally {
      isSending.current = false
      setProgress(null)
    }
  }

  async function send(words: NonNullable<ReturnType<typeof validateWords>['values']>) {
    const { photos } = chosen
    const { productId, variantId } = form.typed
    let done = 0
    const show = (share: number) => setProgress({ done, of: photos.length, share })
    show(0)
    await sendCatch(
      { words, photos, lure: { productId: productId || null, variantId: variantId || null } },
      {
        onProgress: show,
        onUploaded(photo, address) {
          chosen.markSent(photo, address)
          done += 1
          show(0)
        },
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

  return { ...form, ...chosen, progress, isDone, submit }
}
