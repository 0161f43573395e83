import { useState } from 'react'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import { RecentlyResolved } from './recently-resolved.tsx'
import { REFRESHES, type PaymentIssue } from './payment-issue.ts'
import { issueText } from './issue-text.ts'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'

const TOO_SHORT = 'Please describe in a few words what you did'

export function ResolveDialog({ issue, onClose }: { issue: PaymentIssue; onClose: () => void }) {
  const resolve = useRpcMutation('resolve_payment_issue', {
    success: 'Issue resolved',
    invalidates: REFRESHES,
  })
  const [note, setNote] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isShort = note.trim().length < 3

  const save = () => {
    setIsTried(true)
    if (!isShort) resolve.mutate({ issue_id: issue.id, note: note.trim() }, { onSuccess: onClose })
  }

  return (
    <DialogForm
      title={issueText(issue).title}
      submit="Resolve"
      isBusy={resolve.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <p>This removes the issue from the list and keeps your note. It does not move any money.</p>
      <TextArea
        label="What you did about it"
        value={note}
        maxLength={500}
        error={isTried && isShort ? TOO_SHORT : null}
        onValue={setNote}
      />
      {resolve.isError && <RecentlyResolved closed={[issue]} />}
    </DialogForm>
  )
}
