import { RotateCw, X } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Stack, Text, Row } from '#app/ui/layout.tsx'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import styles from './pictures.module.css'
import type { PictureUpload, useUploads } from './use-uploads.ts'

/** Uploads in progress and failed uploads. */
export function UploadList({ uploads, retry, discard }: Omit<ReturnType<typeof useUploads>, 'add'>) {
  if (uploads.length === 0) return null
  return (
    <Stack as="ul" gap={2} className={styles.uploads} aria-label="Uploads">
      {uploads.map((upload) => (
        <Row as="li" gap={3} key={upload.id}>
          <Thumbnail src={upload.previewUrl} size={56} onError={hide} />
          <Text as="div" grow>
            <Text ellipsis size="s" weight={600}>
              {upload.file.name || 'Pasted picture'}
            </Text>
            <UploadState state={upload.state} />
          </Text>
          {upload.state.kind === 'failed' && upload.state.canRetry && (
            <IconButton icon={RotateCw} label={`Retry ${upload.file.name}`} onClick={() => retry(upload)} />
          )}
          {upload.state.kind === 'failed' && (
            <IconButton icon={X} label={`Discard ${upload.file.name}`} onClick={() => discard(upload.id)} />
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
