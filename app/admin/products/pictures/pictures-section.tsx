import { ArrowLeft, ArrowRight, Crop, X } from 'lucide-react'
import { useRef, useState, type DragEvent } from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '#app/ui/button.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { ErrorText, Hint, Row, Stack, Grid, Section } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import type { ProductPicture } from '#domain/catalogue.ts'
import { PRODUCT_ROW } from '../edit/edits.ts'
import type { ProductEditor } from '../edit/use-product-editor.ts'
import { oneLine } from '../fields.ts'
import { CropDialog } from './crop-dialog.tsx'
import { PictureChooser } from './picture-chooser.tsx'
import styles from './pictures.module.css'
import { UploadList } from './upload-list.tsx'
import type { Uploads } from './use-uploads.ts'

export function PicturesSection({ editor, uploads }: { editor: ProductEditor; uploads: Uploads }) {
  const pictures = editor.cell('images')
  const [announcement, setAnnouncement] = useState('')
  const [cropped, setCropped] = useState<ProductPicture | null>(null)
  const list = useRef<HTMLElement>(null)
  const dragged = useRef<number | null>(null)
  const change = editor.changePictures
  const replace = ({ url }: ProductPicture, changed: Partial<ProductPicture>) =>
    change((now) => now.map((picture) => (picture.url === url ? { ...picture, ...changed } : picture)))

  const move = (from: number, to: number) => {
    const moved = pictures[from]
    if (!moved || to < 0 || to >= pictures.length) return
    flushSync(() => change((now) => now.toSpliced(from, 1).toSpliced(to, 0, moved)))
    setAnnouncement(`Picture ${from + 1} is now ${to + 1} of ${pictures.length}`)
  }
  /** Keeps the focus on the moved picture. */
  const moveByKey = (from: number, by: 1 | -1) => {
    move(from, from + by)
    const card = list.current?.children[from + by]
    card
      ?.querySelector<HTMLButtonElement>(`[data-move="${by}"]:not(:disabled), [data-move]:not(:disabled)`)
      ?.focus()
  }
  const drop = (to: number) => {
    if (dragged.current !== null) move(dragged.current, to)
    dragged.current = null
  }

  return (
    <Section title="Pictures">
      {pictures.length === 0 && <Hint>No pictures yet. The first one becomes the main picture.</Hint>}
      <Grid
        as="ul"
        ref={list}
        columns="repeat(auto-fill, minmax(min(220px, 100%), 1fr))"
        gap={4}
        aria-label="Pictures in order"
      >
        {pictures.map((picture, at) => (
          <PictureCard
            key={picture.url}
            picture={picture}
            at={at}
            count={pictures.length}
            problem={picture.alt.trim() === '' ? editor.problems[PRODUCT_ROW]?.[picture.url] : undefined}
            onAlt={(alt) => replace(picture, { alt })}
            onMove={(by) => moveByKey(at, by)}
            onCrop={() => setCropped(picture)}
            onRemove={() => change((now) => now.filter(({ url }) => url !== picture.url))}
            onDragStart={() => (dragged.current = at)}
            onDrop={() => drop(at)}
          />
        ))}
      </Grid>
      <ErrorText size="s" tabIndex={-1} data-problem>
        {editor.problems[PRODUCT_ROW]?.['images']}
      </ErrorText>
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
      <UploadList uploads={uploads} shows={(row) => row === PRODUCT_ROW} />
      <PictureChooser onAdd={(files) => uploads.add(PRODUCT_ROW, files)} />
      {cropped && (
        <CropDialog
          picture={cropped}
          onCropped={(url) => replace(cropped, { url })}
          onClose={() => setCropped(null)}
        />
      )}
    </Section>
  )
}

interface CardProps {
  picture: ProductPicture
  at: number
  count: number
  problem: string | undefined
  onAlt: (alt: string) => void
  onMove: (by: 1 | -1) => void
  onCrop: () => void
  onRemove: () => void
  onDragStart: () => void
  onDrop: () => void
}

function PictureCard({ picture, at, count, problem, ...on }: CardProps) {
  const name = `picture ${at + 1}`
  const dropHere = (event: DragEvent) => {
    // The chooser handles dropped files.
    if (event.dataTransfer.files.length > 0) return
    event.preventDefault()
    on.onDrop()
  }
  return (
    // The buttons are the keyboard and touch alternative to dragging.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <Stack
      as="li"
      gap={2}
      justify="start"
      className={styles.card}
      onDragStart={on.onDragStart}
      onDragOver={(event) => event.preventDefault()}
      onDrop={dropHere}
    >
      <div className={styles.frame}>
        <img src={pictureUrl(picture.url, 480)} alt={picture.alt} width={480} height={480} loading="lazy" />
        {at === 0 && <span className={styles.main}>Main picture</span>}
      </div>
      <Row align="stretch" justify="between">
        <IconButton
          icon={ArrowLeft}
          data-move="-1"
          label={`Move ${name} earlier`}
          disabled={at === 0}
          onClick={() => on.onMove(-1)}
        />
        <IconButton
          icon={ArrowRight}
          data-move="1"
          label={`Move ${name} later`}
          disabled={at === count - 1}
          onClick={() => on.onMove(1)}
        />
        <IconButton icon={Crop} label={`Crop ${name}`} onClick={on.onCrop} />
        <IconButton icon={X} label={`Remove ${name}`} onClick={on.onRemove} />
      </Row>
      <TextArea
        label="Picture description"
        rows={2}
        maxLength={300}
        placeholder="Red Head popper from the side, with hooks"
        value={picture.alt}
        error={problem}
        onValue={(value) => on.onAlt(oneLine(value))}
      />
    </Stack>
  )
}
