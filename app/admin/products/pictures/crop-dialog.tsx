import { useEffect, useRef, useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import type { LurePicture } from '#domain/catalogue.ts'
import { Failure } from '../../list/resource-list.tsx'
import form from '../../list/form-dialog.module.css'
import styles from './pictures.module.css'
import { cropPicture, type Cut } from './prepare-picture.ts'
import { uploadPicture } from './upload-picture.ts'

interface CropProps {
  picture: LurePicture
  onCropped: (address: string) => void
  onClose: () => void
}

/** The square that the shop shows, chosen with three sliders. The result is a picture of its own; the whole one stays where it is. */
export function CropDialog({ picture, onCropped, onClose }: CropProps) {
  const original = useOriginal(picture.url)
  const [view, setView] = useState({ zoom: 1, across: 0.5, down: 0.5 })
  const [state, setState] = useState<'choosing' | 'saving' | 'failed'>('choosing')
  const canvas = useRef<HTMLCanvasElement>(null)
  const cut = original.bitmap && squareOf(original.bitmap, view)

  useEffect(() => {
    if (!original.bitmap || !cut || !canvas.current) return
    const { width } = canvas.current
    const context = canvas.current.getContext('2d')
    context?.clearRect(0, 0, width, width)
    context?.drawImage(original.bitmap, cut.x, cut.y, cut.width, cut.height, 0, 0, width, width)
  })

  const save = async () => {
    if (!original.bitmap || !cut) return
    setState('saving')
    try {
      onCropped(await uploadPicture(await cropPicture(original.bitmap, cut, original.type), () => {}))
      onClose()
    } catch (error) {
      console.error('the cropped picture was not kept', error)
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
            aria-label="What the square shows"
          />
        )}
        {slider('zoom', 'Closer', 4)}
        {slider('across', 'Left to right')}
        {slider('down', 'Top to bottom')}
        {state === 'failed' && (
          <p className={form.error} role="alert">
            The picture was not saved. Please try again.
          </p>
        )}
        <div className={form.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="action" disabled={!original.bitmap || state === 'saving'} onClick={() => void save()}>
            {state === 'saving' ? 'Cropping...' : 'Crop'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The largest square at zoom 1; `across` and `down` say where in the rest it lies. */
function squareOf(
  { width, height }: ImageBitmap,
  { zoom, across, down }: { zoom: number; across: number; down: number },
): Cut {
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
        setLoaded({ type: '', error: error instanceof Error ? error : new Error('It cannot be opened.') }),
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

/** A second attempt does not take the first one's answer from the browser's memory. */
async function load(url: string, attempt: number): Promise<{ bitmap: ImageBitmap; type: string }> {
  const answer = await fetch(url, { cache: attempt > 0 ? 'reload' : 'default' })
  if (!answer.ok) throw new Error(`The shop answered with an error (${answer.status}).`)
  const content = await answer.blob()
  return { bitmap: await createImageBitmap(content), type: content.type }
}
