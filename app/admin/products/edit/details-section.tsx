import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { ErrorText, Stack, Section } from '#app/ui/layout.tsx'
import type { Spec } from '#domain/catalogue.ts'
import { fieldLabel, PRODUCT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import formStyles from '../../form/form-dialog.module.css'
import styles from './details.module.css'
import { PRODUCT_ROW, textOf } from './edits.ts'
import type { ProductEditor } from './use-product-editor.ts'

export function DetailsSection({ editor }: { editor: ProductEditor }) {
  const fieldsOf = (...kinds: ProductField['kind'][]) =>
    Object.entries<ProductField>(PRODUCT_FIELDS)
      .filter(([, { kind }]) => kinds.includes(kind))
      .map(([column, field]) => <DetailField key={column} column={column} field={field} editor={editor} />)

  return (
    <Section title="Details" gap={4}>
      <div className={classNames(formStyles.pair, styles.fields)}>{fieldsOf('line', 'slug', 'number')}</div>
      {fieldsOf('text', 'yes-no')}
      <Specs
        specs={editor.cell('specs')}
        problem={editor.problems[PRODUCT_ROW]?.['specs']}
        onChange={(specs) => editor.editProduct('specs', specs)}
      />
    </Section>
  )
}

interface DetailFieldProps {
  column: string
  field: ProductField
  editor: ProductEditor
}

function DetailField({ column, field, editor }: DetailFieldProps) {
  const { kind, hint, maxLength, isOptional } = field
  const label = fieldLabel(field)
  const cell = { row: PRODUCT_ROW, column }
  if (kind === 'yes-no')
    return (
      <Checkbox
        label={`${label}: ${hint}`}
        checked={editor.value(cell) === true}
        onCheck={(isChecked) => editor.editCell({ ...cell, typed: isChecked })}
      />
    )
  const input = {
    label,
    hint,
    maxLength,
    name: column,
    value: textOf(editor.value(cell)),
    error: editor.problems[PRODUCT_ROW]?.[column],
    onChange: (event: { target: { value: string } }) =>
      editor.editCell({ ...cell, typed: event.target.value }),
  }
  if (kind === 'text') return <TextArea rows={5} {...input} />
  return (
    <TextField
      isOptional={isOptional ?? kind === 'number'}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      spellCheck={kind === 'slug' ? false : undefined}
      {...input}
    />
  )
}

interface SpecsProps {
  specs: Spec[]
  problem: string | undefined
  onChange: (specs: Spec[]) => void
}

function Specs({ specs, problem, onChange }: SpecsProps) {
  return (
    <Stack as="fieldset" gap={3} align="start" shrinks className={styles.specs}>
      <legend>Specs</legend>
      {specs.map((spec, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a spec has no other identity
        <div key={at} className={styles.spec}>
          <TextField
            label="Label"
            value={spec.label}
            onValue={(value) => onChange(specs.with(at, { ...spec, label: value }))}
          />
          <TextField
            label="Value"
            value={spec.value}
            onValue={(value) => onChange(specs.with(at, { ...spec, value: value }))}
          />
          <IconButton
            icon={X}
            label={`Remove ${spec.label || 'this line'}`}
            onClick={() => onChange(specs.toSpliced(at, 1))}
          />
        </div>
      ))}
      <ErrorText size="s" tabIndex={-1} data-problem>
        {problem}
      </ErrorText>
      <Button onClick={() => onChange([...specs, { label: '', value: '' }])}>
        <Plus size={18} aria-hidden /> Add line
      </Button>
    </Stack>
  )
}
