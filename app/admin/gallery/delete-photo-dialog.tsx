import { DeleteDialog } from '../form/delete-dialog.tsx'
import { useDeletePhoto, type Submission } from './submission.ts'

interface Props {
  submission: Submission
  onClose: () => void
}

/** Asks before a declined photo is deleted. */
export function DeletePhotoDialog({ submission, onClose }: Props) {
  return (
    <DeleteDialog
      title={`Delete the photo from ${submission.customer_name}?`}
      question="Name, text and e-mail address are deleted now, and the picture files within a day. This cannot be undone."
      row={submission}
      mutation={useDeletePhoto()}
      onClose={onClose}
    />
  )
}
