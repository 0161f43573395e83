import { useState, type FormEvent } from 'react'
import { TextArea, TextField } from '#app/ui/form/field.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { ConflictMessage } from '../form/conflict-message.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import type { Versioned } from '../form/save-unless-changed.ts'
import gallery from './gallery.module.css'
import { LureFields, type TaggedLure } from './lure-fields.tsx'
import { SubmissionStatusBadge, VerdictButtons, type VerdictProps } from './submission-card.tsx'
import { useUpdateSubmission, type Submission } from './submission.ts'

interface Props extends VerdictProps {
  submission: Submission
  photos: string[]
  onClose: () => void
}

export function SubmissionDialog({ submission, photos, onClose, ...verdict }: Props) {
  return (
    <FormDialog title="Edit Submission" isOpen onClose={onClose}>
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
        <SubmissionForm submission={submission} onClose={onClose} />
      </div>
    </FormDialog>
  )
}

function SubmissionForm({ submission, onClose }: Pick<Props, 'submission' | 'onClose'>) {
  const update = useUpdateSubmission(submission.id)
  const [name, setName] = useState(submission.customer_name)
  const [email, setEmail] = useState(submission.gallery_contacts?.email ?? '')
  const [description, setDescription] = useState(submission.description)
  const { product_id, variant_id } = submission
  const [lure, setLure] = useState<TaggedLure>({ product_id, variant_id })

  const [seen, setSeen] = useState<Versioned>(submission)
  const words = { customer_name: name.trim(), description: description.trim() }

  const saveOver = (version: Versioned) =>
    update.mutate(
      { details: { ...words, ...lure, email: email.trim() || null }, seen: version },
      { onSuccess: onClose },
    )
  const save = (event: FormEvent) => {
    event.preventDefault()
    saveOver(seen)
  }
  const take = (now: Versioned & Record<string, unknown>) => {
    setSeen(now)
    setName(String(now['customer_name']))
    setDescription(String(now['description']))
    update.reset()
  }

  return (
    <Stack as="form" gap={4} onSubmit={save}>
      <ConflictMessage error={update.error} mine={words} onTake={take} onKeep={saveOver} />
      <TextField label="Customer Name" required maxLength={100} value={name} onValue={setName} />
      <TextField label="Email" type="email" value={email} onValue={setEmail} />
      <TextArea label="Description" required maxLength={2000} value={description} onValue={setDescription} />
      <LureFields lure={lure} onChange={setLure} />
      <FormActions isBusy={update.isPending} onCancel={onClose} />
    </Stack>
  )
}
