import { ArrowLeft, ArrowRight, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Picture } from '#app/ui/picture.tsx'
import type { ProductPicture } from '#domain/catalogue.ts'
import styles from './zoom-dialog.module.css'

/** Zoom factors; at the last one the pictures reach their full resolution. */
const STEPS = [1, 1.5, 2.25, 3] as const
const LAST = STEPS.length - 1
/** The step for a tap on the whole picture. */
const CLOSE_UP = 2

interface ZoomDialogProps {
  title: string
  pictures: ProductPicture[]
  first: number
  onClose: () => void
}

/** Shows a picture enlarged, in a scroll container. */
export function ZoomDialog({ title, pictures, first, onClose }: ZoomDialogProps) {
  const [position, setPosition] = useState(first)
  const { window, step, zoomTo } = useZoom()
  const picture = pictures[position]
  if (!picture) return null

  const show = (next: number) => {
    if (!pictures[next]) return
    setPosition(next)
    zoomTo(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === '+' || event.key === '=') zoomTo(step + 1)
    else if (event.key === '-') zoomTo(step - 1)
    else if (event.key === '0') zoomTo(0)
    else if (step === 0 && event.key === 'ArrowLeft') show(position - 1)
    else if (step === 0 && event.key === 'ArrowRight') show(position + 1)
  }
  const onTap = (event: MouseEvent<HTMLElement>) =>
    zoomTo(step === 0 ? CLOSE_UP : 0, { x: event.clientX, y: event.clientY })

  return (
    <Dialog title={title} isOpen onClose={onClose} className={styles.dialog}>
      {/* Keyboard shortcuts for the buttons below, wherever the focus is. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={styles.view} onKeyDown={onKeyDown}>
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
        <div
          ref={window}
          className={styles.window}
          data-zoomed={step > 0}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scroll container needs the focus for its arrow keys.
          tabIndex={0}
          role="group"
          aria-label="Picture. Use the arrow keys to move it."
          onClick={onTap}
        >
          <div className={styles.canvas} style={{ width: `${(STEPS[step] ?? 1) * 100}%` }}>
            <Picture src={picture.url} alt={picture.alt} width={1200} height={1200} sizes="1200px" />
          </div>
        </div>
        <div className={styles.tools}>
          <IconButton label="Zoom out" disabled={step === 0} onClick={() => zoomTo(step - 1)}>
            <ZoomOut size={22} aria-hidden />
          </IconButton>
          <IconButton label="Zoom in" disabled={step === LAST} onClick={() => zoomTo(step + 1)}>
            <ZoomIn size={22} aria-hidden />
          </IconButton>
          {pictures.length > 1 && (
            <>
              <IconButton
                label="Previous picture"
                disabled={position === 0}
                onClick={() => show(position - 1)}
              >
                <ArrowLeft size={22} aria-hidden />
              </IconButton>
              <IconButton
                label="Next picture"
                disabled={position === pictures.length - 1}
                onClick={() => show(position + 1)}
              >
                <ArrowRight size={22} aria-hidden />
              </IconButton>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}

interface Point {
  x: number
  y: number
}

/** Zooms around a point of the container, or around its centre. */
function useZoom() {
  const window = useRef<HTMLDivElement>(null)
  const [{ step, centre }, setView] = useState({ step: 0, centre: { x: 0, y: 0 } })

  function zoomTo(next: number, at?: Point) {
    const element = window.current
    if (!element || next < 0 || next > LAST) return
    const box = element.getBoundingClientRect()
    const x = at ? at.x - box.left : box.width / 2
    const y = at ? at.y - box.top : box.height / 2
    // Relative to the picture size, so independent of the zoom factor.
    const around = {
      x: (element.scrollLeft + x) / element.scrollWidth,
      y: (element.scrollTop + y) / element.scrollHeight,
    }
    setView({ step: next, centre: around })
  }

  useEffect(() => {
    const element = window.current
    if (!element) return
    element.scrollTo({
      left: centre.x * element.scrollWidth - element.clientWidth / 2,
      top: centre.y * element.scrollHeight - element.clientHeight / 2,
      behavior: 'instant',
    })
  }, [centre])

  return { window, step, zoomTo }
}
