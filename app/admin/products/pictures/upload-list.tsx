import { RotateCw, X } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import styles from './pictures.module.css'
import type { Upload, useUploads } from './use-uploads.ts'

/** What is on its way, how far, and what went wrong with it. */
export function UploadList({ uploads, retry, drop }: Omit<ReturnType<typeof useUploads>, 'add'>) {
  if (uploads.length === 0) return null
  return (
    <ul className={styles.uploads} aria-label="Uploads">
      {uploads.map((upload) => (
        <li key={upload.id}>
          <img src={upload.previewUrl} alt="" width={56} height={56} onError={hide} />
          <div className={styles.uploadWords}>
            <p className={styles.fileName}>{upload.file.name || 'Pasted picture'}</p>
            <UploadState state={upload.state} />
          </div>
          {upload.state.kind === 'failed' && upload.state.mayRetry && (
            <IconButton label={`Try ${upload.file.name} again`} onClick={() => retry(upload)}>
              <RotateCw size={20} aria-hidden />
            </IconButton>
          )}
          {upload.state.kind === 'failed' && (
            <IconButton label={`Leave ${upload.file.name} out`} onClick={() => drop(upload.id)}>
              <X size={20} aria-hidden />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}

/** A file that is no picture has none to show. */
function hide({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
  currentTarget.hidden = true
}

function UploadState({ state }: { state: Upload['state'] }) {
  if (state.kind === 'failed')
    return (
      <p className={styles.failed} role="alert">
        {state.why}
      </p>
    )
  return <progress aria-label="Uploaded" value={state.share} max={1} />
}
