import { useEffect, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { ErrorText } from '#app/ui/layout.tsx'
import type { ProductPicture } from '#domain/catalogue.ts'
import { Failure } from '../../list/resource-list.tsx'
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
  const [view, setView] = useState({ zoom: 1, across: 0.5, down: 0.5 })
  const [state, setState] = useState<'choosing' | 'saving' | 'failed'>('choosing')
  const canvas = useRef<HTMLCanvasElement>(null)
  const area = original.bitmap && squareOf(original.bitmap, view)

  useEffect(() => {
    if (!original.bitmap || !area || !canvas.current) return
    const { width } = canvas.current
    const context = canvas.current.getContext('2d')
    context?.clearRect(0, 0, width, width)
    context?.drawImage(original.bitmap, area.x, area.y, area.width, area.height, 0, 0, width, width)
  })

  const save = async () => {
    if (!original.bitmap || !area) return
    setState('saving')
    try {
      onCropped(await uploadPicture(await cropPicture(original.bitmap, area, original.type), () => {}))
      onClose()
    } catch (error) {
      console.error('the cropped picture was not saved', error)
      setState('failed')
    }
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
          <Failure what="The picture" error={original.error} onRetry={original.retry} />
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
        {state === 'failed' && (
          <ErrorText size="s" role="alert">
            The picture was not saved. Please try again.
          </ErrorText>
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="action" disabled={!original.bitmap || state === 'saving'} onClick={() => void save()}>
            {state === 'saving' ? 'Cropping...' : 'Crop'}
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
  const [attempt, setAttempt] = useState(0)
  const [loaded, setLoaded] = useState<{ bitmap?: ImageBitmap; type: string; error?: Error }>({ type: '' })

  useEffect(() => {
    let isWanted = true
    load(url, attempt).then(
      (original) => isWanted && setLoaded(original),
      (error: unknown) =>
        isWanted &&
        setLoaded({
          type: '',
          error: error instanceof Error ? error : new Error('The picture cannot be opened.'),
        }),
    )
    return () => {
      isWanted = false
    }
  }, [url, attempt])

  return {
    ...loaded,
    retry: () => {
      setLoaded({ type: '' })
      setAttempt(attempt + 1)
    },
  }
}

/** A retry bypasses the HTTP cache. */
async function load(url: string, attempt: number): Promise<{ bitmap: ImageBitmap; type: string }> {
  const response = await fetch(url, { cache: attempt > 0 ? 'reload' : 'default' })
  if (!response.ok) throw new Error(`The shop returned an error (${response.status}).`)
  const content = await response.blob()
  return { bitmap: await createImageBitmap(content), type: content.type }
}
