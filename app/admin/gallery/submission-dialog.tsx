import { useState, type FormEvent } from 'react'
import { TextArea, TextField } from '#app/ui/form/field.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import gallery from './gallery.module.css'
import { LureFields, type TaggedLure } from './lure-fields.tsx'
import { SubmissionStatusBadge, VerdictButtons, type VerdictProps } from './submission-card.tsx'
import { useUpdateSubmission, type Submission } from './submission.ts'
import { fieldsOf } from '../form/fields-of.ts'
import { useEdit } from '../form/use-edit.tsx'

interface Props extends VerdictProps {
  submission: Submission
  photos: string[]
  onClose: () => void
}

export function SubmissionDialog({ submission, photos, onClose, ...verdict }: Props) {
  const update = useUpdateSubmission()
  return (
    <FormDialog title="Edit Submission" isOpen isBusy={update.isPending} onClose={onClose}>
      <div className={styles.form}>
        <Row gap={2} align="stretch" className={gallery.photos}>
          {photos.map((url) => (
            <img key={url} src={url} alt={submission.description} />
          ))}
        </Row>
        <Row as="p" gap={3} tone="muted" size="s">
          <SubmissionStatusBadge status={submission.status} />
          <span>
            Submitted <LocalDate at={submission.created_at} />
          </span>
        </Row>
        {submission.status === 'pending' && <VerdictButtons {...verdict} status={submission.status} />}
        <SubmissionForm submission={submission} update={update} onClose={onClose} />
      </div>
    </FormDialog>
  )
}

interface FormProps extends Pick<Props, 'submission' | 'onClose'> {
  update: ReturnType<typeof useUpdateSubmission>
}

function SubmissionForm({ submission, update, onClose }: FormProps) {
  const [email, setEmail] = useState(submission.gallery_contacts?.email ?? '')
  const { product_id, variant_id } = submission
  const [lure, setLure] = useState<TaggedLure>({ product_id, variant_id })
  const [draft, setDraft] = useState(wordsOf(submission))
  const field = fieldsOf(draft, setDraft)
  const words = { customer_name: draft.customer_name.trim(), description: draft.description.trim() }
  const values = { ...words, ...lure, email: email.trim() || null }
  const { save, conflict } = useEdit({
    row: submission,
    mutation: update,
    values,
    compared: words,
    onSaved: onClose,
    onTake: (theirs) => setDraft(wordsOf(theirs)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(values)
  }

  return (
    <Stack as="form" gap={4} onSubmit={submit}>
      {conflict}
      <TextField label="Customer Name" required maxLength={100} {...field('customer_name')} />
      <TextField label="Email" type="email" value={email} onValue={setEmail} />
      <TextArea label="Description" required maxLength={2000} {...field('description')} />
      <LureFields lure={lure} onChange={setLure} />
      <FormActions isBusy={update.isPending} onCancel={onClose} />
    </Stack>
  )
}

function wordsOf({ customer_name, description }: Submission) {
  return { customer_name, description }
}
