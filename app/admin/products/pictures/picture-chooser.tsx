import { Camera, ImagePlus } from 'lucide-react'
import { useRef, useState, type DragEvent, type RefObject } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { Hint, Row } from '#app/ui/layout.tsx'
import { useWindowEvent } from '#app/ui/use-window-event.ts'
import { FileButton } from '../file-button.tsx'
import styles from './pictures.module.css'

/** Accepts files, drops, pastes anywhere on the page, and photos from the camera. */
export function PictureChooser({ onAdd }: { onAdd: (files: File[]) => void }) {
  const [isOver, setIsOver] = useState(false)
  const container = useRef<HTMLElement>(null)
  usePastedFiles(container, onAdd)

  const drop = (event: DragEvent) => {
    setIsOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    onAdd(files)
  }
  return (
    // The file inputs inside are the keyboard alternative to dropping.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <Row
      gap={3}
      wrap
      ref={container}
      className={classNames(styles.chooser, isOver && styles.dragOver)}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileButton accept="image/*" multiple onChoose={onAdd}>
        <ImagePlus size={22} aria-hidden /> Add pictures
      </FileButton>
      <FileButton accept="image/*" capture="environment" onChoose={onAdd}>
        <Camera size={22} aria-hidden /> Take a photo
      </FileButton>
      <Hint>Drop or paste pictures here. Large photos are made smaller before the upload.</Hint>
    </Row>
  )
}

/** Handles files pasted anywhere on the page. While a dialog is open, only the chooser inside it handles them. */
function usePastedFiles(container: RefObject<HTMLElement | null>, onAdd: (files: File[]) => void) {
  useWindowEvent('paste', ({ clipboardData }) => {
    const files = [...(clipboardData?.files ?? [])]
    const dialog = document.querySelector('dialog[open]')
    if (files.length > 0 && (!dialog || dialog.contains(container.current))) onAdd(files)
  })
}
