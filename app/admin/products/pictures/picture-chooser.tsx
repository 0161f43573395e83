import { Camera, ImagePlus } from 'lucide-react'
import { useEffect, useRef, useState, type DragEvent, type RefObject } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import { FileButton } from '../file-button.tsx'
import styles from './pictures.module.css'

/** Pictures come from files, by drag, by paste anywhere on the page, or from a phone's camera. */
export function PictureChooser({ onAdd }: { onAdd: (files: File[]) => void }) {
  const [isOver, setIsOver] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  usePastedFiles(place, onAdd)

  const drop = (event: DragEvent) => {
    setIsOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    onAdd(files)
  }
  return (
    // What is dropped here may be chosen with the fields inside just as well.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={place}
      className={classNames(styles.chooser, isOver && styles.over)}
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
      <p className={styles.hint}>
        Drop them here or paste them. Large photos are made smaller before they are sent.
      </p>
    </div>
  )
}

/** A picture in the clipboard, wherever on the page it is pasted; while a dialog is open it belongs to the dialog. */
function usePastedFiles(place: RefObject<HTMLElement | null>, onAdd: (files: File[]) => void) {
  const add = useRef(onAdd)
  useEffect(() => {
    add.current = onAdd
  })
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const files = [...(clipboardData?.files ?? [])]
      const dialog = document.querySelector('dialog[open]')
      if (files.length > 0 && (!dialog || dialog.contains(place.current))) add.current(files)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [place])
}
