import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '#app/ui/button.tsx'
import { Checkbox, TextArea, TextField } from '#app/ui/form/field.tsx'
import { Grid, Stack } from '#app/ui/layout.tsx'
import type { Spec } from '#domain/catalogue.ts'
import styles from './details.module.css'
import { textOf } from './edits.ts'
import { PRODUCT_ROW } from './paste.ts'
import type { ProductCells } from './record.ts'
import type { ProductEditor } from './use-product-editor.ts'

export function DetailsSection({ editor }: { editor: ProductEditor }) {
  const field = (column: keyof ProductCells) => ({
    name: column,
    value: textOf(editor.cell(column)),
    error: editor.problems[PRODUCT_ROW]?.[column],
    onChange: (event: { target: { value: string } }) => editor.editProduct(column, event.target.value),
  })

  return (
    <Stack as="section" gap={4} aria-labelledby="details-title">
      <h3 id="details-title">Details</h3>
      <Grid columns="repeat(auto-fill, minmax(min(260px, 100%), 1fr))" className={styles.fields}>
        <TextField label="Product Name" maxLength={120} {...field('name')} />
        <TextField label="Category" isOptional maxLength={60} {...field('category')} />
        <TextField
          label="Address"
          hint="Last part of the page’s web address. The old one redirects."
          maxLength={120}
          spellCheck={false}
          {...field('slug')}
        />
        <TextField label="Model" isOptional maxLength={60} {...field('model')} />
        <TextField label="Length (mm)" isOptional inputMode="numeric" {...field('length_mm')} />
        <TextField label="Weight (g)" isOptional inputMode="numeric" {...field('weight_grams')} />
        <TextField label="Recommended hook" isOptional maxLength={40} {...field('hook_size')} />
        <TextField
          label="Low-stock threshold"
          isOptional
          hint="Alert at this many or fewer; leave empty for the shop’s threshold."
          inputMode="numeric"
          {...field('low_stock_threshold')}
        />
      </Grid>
      <TextArea label="Description" rows={5} maxLength={5000} {...field('description')} />
      <Checkbox
        label="Made to order: can be ordered when out of stock."
        checked={editor.cell('made_to_order')}
        onChange={(event) => editor.editProduct('made_to_order', event.target.checked)}
      />
      <Specs specs={editor.cell('specs')} onChange={(specs) => editor.editProduct('specs', specs)} />
    </Stack>
  )
}

function Specs({ specs, onChange }: { specs: Spec[]; onChange: (specs: Spec[]) => void }) {
  return (
    <Stack as="fieldset" gap={3} align="start" shrinks className={styles.specs}>
      <legend>Specs</legend>
      {specs.map((spec, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a spec has no other identity
        <div key={at} className={styles.spec}>
          <TextField
            label="Label"
            value={spec.label}
            onChange={(event) => onChange(specs.with(at, { ...spec, label: event.target.value }))}
          />
          <TextField
            label="Value"
            value={spec.value}
            onChange={(event) => onChange(specs.with(at, { ...spec, value: event.target.value }))}
          />
          <IconButton
            label={`Remove ${spec.label || 'this line'}`}
            onClick={() => onChange(specs.toSpliced(at, 1))}
          >
            <X size={20} aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button onClick={() => onChange([...specs, { label: '', value: '' }])}>
        <Plus size={18} aria-hidden /> Add line
      </Button>
    </Stack>
  )
}
