import { Choices } from '#app/ui/form/choices.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Stack } from '#app/ui/layout.tsx'
import type { ProductStatus } from '../fields.ts'
import { PRODUCT_FIELDS } from '#domain/product-fields.ts'
import { PRODUCT_ROW } from './edits.ts'
import type { ProductRecord } from './record.ts'
import styles from './status.module.css'
import type { ProductEditor } from './use-product-editor.ts'

const STATUSES: { status: ProductStatus; label: string; meaning: string }[] = [
  { status: 'draft', label: 'Draft', meaning: 'Visible to staff only.' },
  { status: 'live', label: 'Live', meaning: 'For sale in the shop.' },
  { status: 'hidden', label: 'Hidden', meaning: 'No longer for sale; its page says so.' },
]

export function StatusSection({ record, editor }: { record: ProductRecord; editor: ProductEditor }) {
  const chosen = editor.cell('status')
  // A product that was live may have links to its page, so it can be hidden but never becomes a draft again.
  const offered = STATUSES.filter(({ status }) => record.status !== 'hidden' || status !== 'draft').filter(
    ({ status }) => record.status !== 'live' || status !== 'draft',
  )

  const choose = (status: ProductStatus) => {
    editor.editProduct('status', status)
    if (status === 'live') editor.editProduct('publish_at', null)
  }
  return (
    <Stack as="section" gap={3} justify="start" aria-labelledby="status-title">
      <h3 id="status-title">Visibility</h3>
      <Choices legend="Status" className={styles.choices}>
        {offered.map(({ status, label, meaning }) => (
          <label key={status}>
            <input type="radio" name="status" checked={chosen === status} onChange={() => choose(status)} />
            <span>
              <strong>{label}</strong> {meaning}
            </span>
          </label>
        ))}
      </Choices>
      {chosen !== 'live' && (
        <TextField
          label={PRODUCT_FIELDS.publish_at.label}
          isOptional
          hint="The lure goes live within a minute of this time."
          type="datetime-local"
          error={editor.problems[PRODUCT_ROW]?.['publish_at']}
          value={localTime(editor.cell('publish_at'))}
          onValue={(value) => editor.editProduct('publish_at', instant(value, record.publish_at))}
        />
      )}
    </Stack>
  )
}

/** `2026-11-21T08:00` in the device's time zone. */
function localTime(moment: string | null): string {
  if (!moment) return ''
  const date = new Date(moment)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Returns the database's own text for an unchanged minute, so that it does not count as an edit. */
function instant(local: string, before: string | null): string | null {
  if (local === '') return null
  return local === localTime(before) ? before : new Date(local).toISOString()
}
