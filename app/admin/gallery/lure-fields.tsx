import { SelectField } from '#app/ui/form/field.tsx'
import styles from '../form/form-dialog.module.css'
import { useTaggableLures, type Submission } from './submission.ts'

export type TaggedLure = Pick<Submission, 'product_id' | 'variant_id'>

/** The lure that caught the fish; its product page shows the approved photo. */
export function LureFields({ lure, onChange }: { lure: TaggedLure; onChange: (lure: TaggedLure) => void }) {
  const lures = useTaggableLures()
  const colours = lures.data?.find(({ id }) => id === lure.product_id)?.product_variants ?? []

  return (
    <div className={styles.pair}>
      <SelectField
        label="Lure"
        isOptional
        hint={lures.isError ? 'The lures could not be loaded. The photo keeps its current lure.' : undefined}
        disabled={!lures.data}
        value={lure.product_id ?? ''}
        onValue={(value) => onChange({ product_id: value || null, variant_id: null })}
      >
        <option value="">Not given</option>
        {lures.data?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Colour"
        isOptional
        disabled={colours.length === 0}
        value={lure.variant_id ?? ''}
        onValue={(value) => onChange({ ...lure, variant_id: value || null })}
      >
        <option value="">Not given</option>
        {colours.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  )
}
