import { RotateCw, X } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Stack, Text, Row } from '#app/ui/layout.tsx'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import styles from './pictures.module.css'
import type { PictureUpload, Uploads } from './use-uploads.ts'

interface ListProps {
  uploads: Uploads
  /** Whether the list shows the uploads of this row. */
  shows: (row: string) => boolean
  /** Names a row in front of its files. */
  rowName?: (row: string) => string
}

/** Uploads in progress and failed uploads. */
export function UploadList({ uploads: { uploads, retry, discard }, shows, rowName }: ListProps) {
  const shown = uploads.filter(({ row }) => shows(row))
  if (shown.length === 0) return null
  return (
    <Stack as="ul" gap={2} className={styles.uploads} aria-label="Uploads">
      {shown.map((upload) => (
        <Row as="li" gap={3} key={upload.id}>
          <Thumbnail src={upload.previewUrl} size={56} onError={hide} />
          <Text as="div" grow>
            <Text ellipsis size="s" weight={600}>
              {rowName && `${rowName(upload.row)}: `}
              {upload.file.name || 'Pasted picture'}
            </Text>
            <UploadState state={upload.state} />
          </Text>
          {upload.state.kind === 'failed' && upload.state.canRetry && (
            <IconButton icon={RotateCw} label={`Retry ${upload.file.name}`} onClick={() => retry(upload)} />
          )}
          {upload.state.kind === 'failed' && (
            <IconButton icon={X} label={`Discard ${upload.file.name}`} onClick={() => discard(upload)} />
          )}
        </Row>
      ))}
    </Stack>
  )
}

/** A file that is not a picture has no preview. */
function hide({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
  currentTarget.hidden = true
}

function UploadState({ state }: { state: PictureUpload['state'] }) {
  if (state.kind === 'failed')
    return (
      <Text tone="danger" size="s" role="alert">
        {state.message}
      </Text>
    )
  return <progress aria-label="Uploaded" value={state.share} max={1} />
}
