import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextArea, TextField } from '#app/ui/field.tsx'
import styles from '../list/form-dialog.module.css'
import { When } from '#app/ui/when.tsx'
import gallery from './gallery.module.css'
import { LureOfCatch, SubmissionStatusBadge, Verdict } from './submission-card.tsx'
import { useUpdateSubmission, type Submission } from './submission.ts'

export function SubmissionDialog({ submission, onClose }: { submission: Submission; onClose: () => void }) {
  const update = useUpdateSubmission(submission.id)
  const [name, setName] = useState(submission.customer_name)
  const [email, setEmail] = useState(submission.gallery_contacts?.email ?? '')
  const [description, setDescription] = useState(submission.description)

  const save = (event: FormEvent) => {
    event.preventDefault()
    const details = {
      customer_name: name.trim(),
      email: email.trim() || null,
      description: description.trim(),
    }
    update.mutate(details, { onSuccess: onClose })
  }

  return (
    <Dialog title="Edit Submission" isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save}>
        <Photos submission={submission} />
        <p className={gallery.facts}>
          <SubmissionStatusBadge status={submission.status} />
          <span>
            Submitted <When at={submission.created_at} />
          </span>
        </p>
        <LureOfCatch submission={submission} />
        {submission.status === 'pending' && <Verdict submission={submission} />}
        <TextField
          label="Customer Name"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField
          label="Email"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextArea
          label="Description"
          required
          maxLength={2000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="action" disabled={update.isPending}>
            Save Changes
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function Photos({ submission }: { submission: Submission }) {
  return (
    <div className={gallery.photos}>
      {submission.photos.map((url) => (
        <img key={url} src={url} alt={submission.description} />
      ))}
    </div>
  )
}
