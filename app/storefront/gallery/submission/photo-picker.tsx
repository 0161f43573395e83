import { CircleCheck, ImagePlus, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { ErrorText, Grid, Hint, Row, Text } from '#app/ui/layout.tsx'
import type { Photo } from './send-catch.ts'
import styles from './photo-picker.module.css'

interface PhotoPickerProps {
  photos: Photo[]
  /** Why files of the last selection were skipped. */
  skipped: string[]
  isBusy: boolean
  onAdd: (files: File[]) => Promise<void>
  onRemove: (photo: Photo) => void
}

/** Accepts photos by file dialog, drag and drop, or paste. */
export function PhotoPicker({ photos, skipped, isBusy, onAdd, onRemove }: PhotoPickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const hintId = useId()

  /** Also refuses photos dropped or pasted while the others are being sent. */
  const add = (files: FileList | null) => {
    if (!isBusy) void onAdd([...(files ?? [])])
  }
  const remove = (photo: Photo) => {
    onRemove(photo)
    input.current?.focus()
  }

  return (
    // The file input inside offers the same by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classNames(styles.picker, isDraggedOver && styles.over)}
      onDragOver={(event) => {
        event.preventDefault()
        event.dataTransfer.dropEffect = isBusy ? 'none' : 'copy'
        setIsDraggedOver(!isBusy)
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsDraggedOver(false)
        add(event.dataTransfer.files)
      }}
      onPaste={(event) => add(event.clipboardData.files)}
    >
      <Grid as="label" columns="auto 1fr" align="center" className={styles.choose}>
        <ImagePlus size={28} aria-hidden />
        <Text as="span" weight={650}>
          Choose photos
        </Text>
        <input
          ref={input}
          type="file"
          accept="image/*"
          multiple
          disabled={isBusy}
          aria-describedby={hintId}
          onChange={(event) => {
            add(event.currentTarget.files)
            // Reset, so that a removed file can be chosen again.
            event.currentTarget.value = ''
          }}
        />
        <Hint as="span" id={hintId} className={styles.hint}>
          One or more, up to 5MB each.
        </Hint>
      </Grid>
      {skipped.length > 0 && (
        <ErrorText as="ul" size="s" breakWords aria-label="Skipped files">
          {skipped.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ErrorText>
      )}
      {photos.length > 0 && <ChosenPhotos photos={photos} isBusy={isBusy} onRemove={remove} />}
    </div>
  )
}

function ChosenPhotos({
  photos,
  isBusy,
  onRemove,
}: Pick<PhotoPickerProps, 'photos' | 'isBusy' | 'onRemove'>) {
  return (
    <ul className={styles.chosen} aria-label="Chosen photos">
      {photos.map((photo) => (
        <li key={photo.id}>
          <img src={photo.previewUrl} alt="" width={96} height={96} />
          <span className={styles.name}>{photo.name}</span>
          <Row gap={1}>
            {photo.uploadedUrl && (
              <CircleCheck size={20} className={styles.sent} role="img" aria-label="uploaded" />
            )}
            <IconButton label={`Remove ${photo.name}`} disabled={isBusy} onClick={() => onRemove(photo)}>
              <X size={18} aria-hidden />
            </IconButton>
          </Row>
        </li>
      ))}
    </ul>
  )
}
