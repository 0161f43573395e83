import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import type { ProductPicture } from '#domain/catalogue.ts'
import { QueryFailure } from '../../list/resource-list.tsx'
import form from '../../form/form-dialog.module.css'
import styles from './pictures.module.css'
import { cropPicture, type CropArea } from './prepare-picture.ts'
import { uploadPicture } from './upload-picture.ts'
import { DialogActions } from '../../form/form-actions.tsx'

interface CropProps {
  picture: ProductPicture
  onCropped: (address: string) => void
  onClose: () => void
}

/** Crops a picture to a square with three sliders, and uploads the result as a new picture. The original stays in storage. */
export function CropDialog({ picture, onCropped, onClose }: CropProps) {
  const original = useOriginal(picture.url)
  const { bitmap, type = '' } = original.data ?? {}
  const [view, setView] = useState({ zoom: 1, across: 0.5, down: 0.5 })
  const canvas = useRef<HTMLCanvasElement>(null)
  const area = bitmap && squareOf(bitmap, view)

  useEffect(() => {
    if (!bitmap || !area || !canvas.current) return
    const { width } = canvas.current
    const context = canvas.current.getContext('2d')
    context?.clearRect(0, 0, width, width)
    context?.drawImage(bitmap, area.x, area.y, area.width, area.height, 0, 0, width, width)
  })

  const saving = useMutation({
    // The crop holds the decoded picture.
    gcTime: 0,
    mutationFn: async (crop: Parameters<typeof cropPicture>) =>
      uploadPicture(await cropPicture(...crop), () => {}),
    onError: (error) => console.error('the cropped picture was not saved', error),
  })
  const save = () => {
    if (!bitmap || !area) return
    saving.mutate([bitmap, area, type], {
      // Not called after Cancel, which unmounts the dialog.
      onSuccess: (address) => {
        onCropped(address)
        onClose()
      },
    })
  }
  const slider = (name: keyof typeof view, label: string, max = 1) => (
    <label className={styles.slider}>
      {label}
      <input
        type="range"
        min={name === 'zoom' ? 1 : 0}
        max={max}
        step={0.01}
        value={view[name]}
        onChange={(event) => setView({ ...view, [name]: Number(event.target.value) })}
      />
    </label>
  )

  return (
    <Dialog title="Crop to a square" isOpen onClose={onClose}>
      <div className={form.form}>
        {original.error ? (
          <QueryFailure what="The picture" query={original} />
        ) : (
          <canvas
            ref={canvas}
            className={styles.crop}
            width={640}
            height={640}
            aria-label="Cropped picture"
          />
        )}
        {slider('zoom', 'Zoom', 4)}
        {slider('across', 'Horizontal position')}
        {slider('down', 'Vertical position')}
        {saving.isError && (
          <ErrorText size="s" role="alert">
            The picture was not saved. Please try again.
          </ErrorText>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="action" disabled={!bitmap || saving.isPending} onClick={save}>
            {saving.isPending ? 'Cropping...' : 'Crop'}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** The largest square at zoom 1. `across` and `down` place it, from 0 to 1. */
function squareOf(
  { width, height }: ImageBitmap,
  { zoom, across, down }: { zoom: number; across: number; down: number },
): CropArea {
  const side = Math.min(width, height) / zoom
  return { x: (width - side) * across, y: (height - side) * down, width: side, height: side }
}

function useOriginal(url: string) {
  return useQuery({
    queryKey: ['picture', url],
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ client, queryKey }) => {
      // Another attempt bypasses the HTTP cache.
      const hasFailed = (client.getQueryState(queryKey)?.errorUpdateCount ?? 0) > 0
      const response = await fetch(url, { cache: hasFailed ? 'reload' : 'default' })
      if (!response.ok) throw new Error(`The shop returned an error (${response.status}).`)
      const content = await response.blob()
      return { bitmap: await createImageBitmap(content), type: content.type }
    },
  })
}
