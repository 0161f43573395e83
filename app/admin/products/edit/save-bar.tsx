import { Button } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/form/field.tsx'
import { Row } from '#app/ui/layout.tsx'
import { HOOKS_CHEAPER, HOOKS_FOR_LESS } from '../product-form-errors.ts'
import { PRODUCT_ROW } from './edits.ts'
import styles from './save-bar.module.css'
import type { ProductEditor } from './use-product-editor.ts'

/** Sticks to the bottom of the screen while there are unsaved changes. */
export function SaveBar({ editor }: { editor: ProductEditor }) {
  if (editor.count === 0) return null
  const asksAboutHooks = editor.problems[PRODUCT_ROW]?.price_with_hooks === HOOKS_CHEAPER
  return (
    <Row gap={3} wrap={asksAboutHooks} className={styles.bar} role="region" aria-label="Unsaved changes">
      <p>{editor.count === 1 ? '1 change' : `${editor.count} changes`} not saved</p>
      {asksAboutHooks && (
        <Checkbox
          label={HOOKS_FOR_LESS}
          checked={editor.confirmsHooksPrice}
          onCheck={editor.setConfirmsHooksPrice}
        />
      )}
      <Button disabled={editor.isSaving} onClick={editor.discard}>
        Discard
      </Button>
      <Button type="submit" look="action" disabled={editor.isSaving}>
        {editor.isSaving ? 'Saving...' : 'Save Changes'}
      </Button>
    </Row>
  )
}
