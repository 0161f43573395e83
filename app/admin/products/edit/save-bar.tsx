import { Button } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import styles from './save-bar.module.css'
import type { ProductEditor } from './use-product-editor.ts'

/** Sticks to the bottom of the screen while there are unsaved changes. */
export function SaveBar({ editor }: { editor: ProductEditor }) {
  if (editor.count === 0) return null
  return (
    <Row gap={3} className={styles.bar} role="region" aria-label="Unsaved changes">
      <p>{editor.count === 1 ? '1 change' : `${editor.count} changes`} not saved</p>
      <Button disabled={editor.isSaving} onClick={editor.discard}>
        Discard
      </Button>
      <Button type="submit" look="action" disabled={editor.isSaving}>
        {editor.isSaving ? 'Saving...' : 'Save Changes'}
      </Button>
    </Row>
  )
}
