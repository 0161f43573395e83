import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { Hint, Pair, Row } from '#app/ui/layout.tsx'
import { Link } from 'react-router'
import { PhotoPicker } from './photo-picker.tsx'
import styles from './submission-form.module.css'
import { useSubmissionForm } from './use-submission-form.ts'

export interface LureOption {
  id: string
  name: string
  variants: { id: string; name: string }[]
}

/** Success empties the form, so its fields are read-only while it is being sent. */
export function SubmissionForm({ lures }: { lures: LureOption[] }) {
  const { attachForm, textField, isBusy, progress, isDone, submit, ...form } = useSubmissionForm()
  return (
    <Form ref={attachForm} gap={4} aria-labelledby="send-yours" onSubmit={submit}>
      <PhotoPicker
        photos={form.photos}
        skipped={form.skipped}
        isBusy={isBusy}
        onAdd={form.add}
        onRemove={form.remove}
      />
      <Pair gap={4}>
        <TextField
          label="Your name"
          autoComplete="name"
          required
          maxLength={100}
          readOnly={isBusy}
          {...textField('name')}
        />
        <TextField
          label="E-mail"
          isOptional
          type="email"
          autoComplete="email"
          readOnly={isBusy}
          {...textField('email')}
        />
      </Pair>
      <LureFields lures={lures} isBusy={isBusy} form={{ ...form, textField }} />
      <TextArea
        label="Description"
        hint="Which fish, which lure, how the day went. Keep your spot secret."
        rows={4}
        required
        maxLength={2000}
        readOnly={isBusy}
        {...textField('description')}
      />
      <Row gap={3} columnGap={5} wrap>
        <Button type="submit" look="action" size="large" disabled={isBusy}>
          {isBusy ? 'Uploading...' : 'Submit for Review'}
        </Button>
        <Row gap={3} numeric role="status" className={styles.progress}>
          {progress && (
            <>
              <progress
                value={progress.done + progress.share}
                max={progress.total}
                aria-label="Photos uploaded"
              />
              <span>
                {progress.done} of {progress.total} uploaded
              </span>
            </>
          )}
          {isDone && <span>Thank you. We look at every photo before it goes up.</span>}
        </Row>
      </Row>
      <Hint measure={60}>
        Every submission is reviewed before publishing. We strip location and camera details before we
        publish. We never publish your e-mail address: see our{' '}
        <Link to="/privacy-policy">Privacy Policy</Link>.
      </Hint>
    </Form>
  )
}

type LureForm = Pick<ReturnType<typeof useSubmissionForm>, 'typed' | 'setTyped' | 'textField'>

/** Choosing another lure resets the colour, because each lure has its own colours. */
function LureFields({
  lures,
  isBusy,
  form: { typed, setTyped, textField },
}: {
  lures: LureOption[]
  isBusy: boolean
  form: LureForm
}) {
  const colours = lures.find(({ id }) => id === typed.productId)?.variants ?? []
  if (lures.length === 0) return null
  return (
    <Pair gap={4}>
      <SelectField
        label="Lure"
        isOptional
        disabled={isBusy}
        {...textField('productId')}
        onChange={(event) => setTyped({ ...typed, productId: event.currentTarget.value, variantId: '' })}
      >
        <option value="">None of these</option>
        {lures.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Colour"
        isOptional
        disabled={isBusy || colours.length === 0}
        {...textField('variantId')}
      >
        <option value="">Not sure</option>
        {colours.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </Pair>
  )
}
