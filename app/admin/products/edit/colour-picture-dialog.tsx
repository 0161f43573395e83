import type { KeyboardEvent } from 'react'
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
import type { Uploads } from '../pictures/use-uploads.ts'
import type { ProductEditor } from './use-product-editor.ts'
import { DialogActions } from '../../form/form-actions.tsx'

function blockEnter(event: KeyboardEvent) {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

interface DialogProps {
  row: string
  editor: ProductEditor
  uploads: Uploads
  onClose: () => void
}

/** Chooses a colour's picture: a new upload, or one of the product's pictures. The page saves it. */
export function ColourPictureDialog({ row, editor, uploads, onClose }: DialogProps) {
  const name = editor.textOfCell(row, 'name') || 'the new colour'
  const chosen = editor.textOfCell(row, 'image_url')
  const choose = (url: string | null, alt: string | null) => {
    // A picture chosen during an upload stays.
    uploads.discardOf(row)
    editor.choosePicture(row, url, alt)
  }

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
        <UploadList uploads={uploads} shows={(uploaded) => uploaded === row} />
        <PictureChooser
          onAdd={(files) => {
            uploads.discardOf(row)
            uploads.add(row, files.slice(0, 1))
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
