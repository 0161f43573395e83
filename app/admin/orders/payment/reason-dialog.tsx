import type { ReactNode } from 'react'
import { DialogForm } from '../../form/dialog-form.tsx'
import { useReason } from './use-reason.tsx'

interface Props {
  title: string
  submit: string
  busyLabel?: string
  mutation: { isPending: boolean; mutate: (reason: string, options: { onSuccess: () => void }) => void }
  onClose: () => void
  /** Explains the effects. */
  children: ReactNode
}

/** Confirms a decision about money with a reason that only staff see. */
export function ReasonDialog({ title, submit, busyLabel = submit, mutation, onClose, children }: Props) {
  const reason = useReason('Visible to staff only.')
  const save = () => {
    const given = reason.read()
    if (given !== null && !mutation.isPending) mutation.mutate(given, { onSuccess: onClose })
  }

  return (
    <DialogForm
      title={title}
      submit={mutation.isPending ? busyLabel : submit}
      isBusy={mutation.isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {children}
      {reason.field}
    </DialogForm>
  )
}
