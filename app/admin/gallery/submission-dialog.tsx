import { useState, type FormEvent } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import gallery from './gallery.module.css'
import { LureFields } from './lure-fields.tsx'
import { SubmissionStatusBadge, VerdictButtons, type VerdictProps } from './submission-card.tsx'
import { comparedValues, submissionDraftOf, submissionDetailsOf } from './submission-draft.ts'
import { useTaggableLures, useUpdateSubmission, type Submission } from './submission.ts'
import { fieldsOf } from '../form/fields-of.ts'
import { useEdit } from '../form/use-edit.tsx'

interface Props extends VerdictProps {
  submission: Submission
  photos: string[]
  onClose: () => void
}

/** Approve and Decline ask before they leave unsaved changes. */
export function SubmissionDialog({ submission, photos, onClose, ...verdict }: Props) {
  const update = useUpdateSubmission()
  const isBusy = verdict.isBusy || update.isPending
  return (
    <FormDialog title="Edit Submission" isOpen isBusy={isBusy} onClose={onClose}>
      {(leave) => (
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
          {submission.status === 'pending' && (
            <VerdictButtons
              status={submission.status}
              isUnseen={verdict.isUnseen}
              isBusy={isBusy}
              onReview={(status) => leave(() => verdict.onReview(status))}
              onDecline={() => leave(verdict.onDecline)}
            />
          )}
          <SubmissionForm submission={submission} update={update} isBusy={isBusy} onClose={onClose} />
        </div>
      )}
    </FormDialog>
  )
}

interface FormProps extends Pick<Props, 'submission' | 'isBusy' | 'onClose'> {
  update: ReturnType<typeof useUpdateSubmission>
}

function SubmissionForm({ submission, update, isBusy, onClose }: FormProps) {
  const lures = useTaggableLures()
  const [opened] = useState(() => submissionDraftOf(submission))
  const [draft, setDraft] = useState(opened)
  const field = fieldsOf(draft, setDraft)
  const values = submissionDetailsOf(draft, opened)
  const { save, conflict } = useEdit({
    row: submission,
    mutation: update,
    values,
    // oxlint-disable-next-line queries/failure-shown -- the field of the lure says it
    compared: (version) => comparedValues(version, lures.data ?? []),
    onSaved: onClose,
    onTake: (theirs) => setDraft(submissionDraftOf(theirs)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(values)
  }

  return (
    <Stack as="form" gap={4} onSubmit={submit}>
      {conflict}
      <TextField label="Customer Name" required maxLength={100} {...field('customer_name')} />
      <TextField label="Email" type="email" {...field('email')} />
      <TextArea label="Description" required maxLength={2000} {...field('description')} />
      <LureFields lure={draft} onChange={(lure) => setDraft({ ...draft, ...lure })} />
      <FormActions isBusy={isBusy} onCancel={onClose} />
    </Stack>
  )
}
