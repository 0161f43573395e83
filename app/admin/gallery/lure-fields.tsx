import type { ComponentProps } from 'react'
import { SelectField } from '#app/ui/form/field.tsx'
import styles from '../form/form-dialog.module.css'
import { useTaggableLures, type Submission } from './submission.ts'

type TaggedLure = Pick<Submission, 'product_id' | 'variant_id'>

/** The lure that caught the fish; its product page shows the approved photo. */
export function LureFields({ lure, onChange }: { lure: TaggedLure; onChange: (lure: TaggedLure) => void }) {
  const lures = useTaggableLures()
  const colours = lures.data?.find(({ id }) => id === lure.product_id)?.product_variants ?? []

  return (
    <div className={styles.pair}>
      <ChoiceField
        label="Lure"
        hint={lures.isError ? 'The lures could not be loaded. The photo keeps its current lure.' : undefined}
        disabled={!lures.data}
        chosen={lure.product_id}
        choices={lures.data ?? []}
        onValue={(value) => onChange({ product_id: value || null, variant_id: null })}
      />
      <ChoiceField
        label="Colour"
        disabled={colours.length === 0}
        chosen={lure.variant_id}
        choices={colours}
        onValue={(value) => onChange({ ...lure, variant_id: value || null })}
      />
    </div>
  )
}

interface ChoiceProps extends ComponentProps<typeof SelectField> {
  chosen: string | null
  choices: { id: string; name: string }[]
}

function ChoiceField({ chosen, choices, ...field }: ChoiceProps) {
  return (
    <SelectField isOptional value={chosen ?? ''} {...field}>
      <option value="">Not given</option>
      {choices.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
