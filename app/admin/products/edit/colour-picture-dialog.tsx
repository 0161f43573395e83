import type { KeyboardEvent, RefObject } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { pictureUrl } from '#domain/picture-sizes.ts'
import { Thumbnail } from '#app/ui/thumbnail.tsx'
import { VARIANT_FIELDS } from '#domain/product-fields.ts'
import form from '../../form/form-dialog.module.css'
import { PictureChooser } from '../pictures/picture-chooser.tsx'
import styles from '../pictures/pictures.module.css'
import { UploadList } from '../pictures/upload-list.tsx'
import { useUploads } from '../pictures/use-uploads.ts'
import type { ProductEditor } from './use-product-editor.ts'
import { DialogActions } from '../../form/form-actions.tsx'

function blockEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

interface DialogProps {
  row: string
  editor: ProductEditor
  /** The file chosen last, by row, until another picture is chosen. Outlives the dialog, as its uploads do. */
  chosenFiles: RefObject<Map<string, File>>
  onClose: () => void
}

/** Chooses a colour's picture: a new upload, or one of the product's pictures. The page saves it. */
export function ColourPictureDialog({ row, editor, chosenFiles, onClose }: DialogProps) {
  const name = editor.textOfCell(row, 'name') || 'the new colour'
  const chosen = editor.textOfCell(row, 'image_url')
  const choose = (url: string | null, alt: string | null) => {
    chosenFiles.current.delete(row)
    editor.editVariant(row, 'image_url', url)
    editor.editVariant(row, 'image_alt', alt)
  }
  const { add, retry, ...uploads } = useUploads((url, file) => {
    // A picture chosen during the upload stays.
    if (chosenFiles.current.get(row) === file) choose(url, '')
  })
  const chooseFile = (file: File) => chosenFiles.current.set(row, file)

  return (
    <Dialog title={`Picture of ${name}`} isOpen onClose={onClose}>
      {/* Enter in a field would submit the page's form behind the dialog. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={form.form} onKeyDown={blockEnter}>
        {chosen && (
          <Row gap={4}>
            <Thumbnail src={pictureUrl(chosen, 320)} alt={editor.textOfCell(row, 'image_alt')} size={96} />
            <Button onClick={() => choose(null, null)}>Remove picture</Button>
          </Row>
        )}
        {chosen && (
          <TextField
            label={VARIANT_FIELDS.image_alt.label}
            maxLength={VARIANT_FIELDS.image_alt.maxLength}
            placeholder={`${name} from the side`}
            value={editor.textOfCell(row, 'image_alt')}
            onValue={(value) => editor.editVariant(row, 'image_alt', value)}
          />
        )}
        {editor.cell('images').length > 0 && (
          <Row gap={2} wrap className={styles.choices} role="group" aria-label="The lure’s pictures">
            {editor.cell('images').map(({ url, alt }) => (
              <button key={url} type="button" aria-pressed={url === chosen} onClick={() => choose(url, alt)}>
                <Thumbnail
                  src={pictureUrl(url, 160)}
                  alt={alt || 'Picture without a description'}
                  size={64}
                />
              </button>
            ))}
          </Row>
        )}
        <UploadList
          {...uploads}
          retry={(upload) => {
            chooseFile(upload.file)
            retry(upload)
          }}
        />
        <PictureChooser
          onAdd={([file]) => {
            if (!file) return
            chooseFile(file)
            add([file])
          }}
        />
        <DialogActions>
          <Button look="action" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}
