import { useState, type ReactNode } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { DialogForm } from '../../form/dialog-form.tsx'

/** A required reason of a few words; its problem shows once a save was tried. */
export function useReason(hint: string) {
  const [reason, setReason] = useState('')
  const [isTried, setIsTried] = useState(false)
  const isMissing = reason.trim().length < 3

  return {
    field: (
      <TextField
        label="Reason"
        hint={hint}
        value={reason}
        maxLength={255}
        error={isTried && isMissing ? 'Please say why, in a few words' : null}
        onValue={setReason}
      />
    ),
    isTried,
    /** The reason, or null when it is missing. */
    read: () => {
      setIsTried(true)
      return isMissing ? null : reason.trim()
    },
  }
}

interface Props {
  title: string
  submit: string
  isBusy: boolean
  onConfirm: (reason: string) => void
  onClose: () => void
  /** Explains the effects. */
  children: ReactNode
}

/** Confirms a decision about money with a reason that only staff see. */
export function ReasonDialog({ isBusy, onConfirm, children, ...dialog }: Props) {
  const reason = useReason('Visible to staff only.')
  const save = () => {
    const given = reason.read()
    if (given !== null && !isBusy) onConfirm(given)
  }

  return (
    <DialogForm {...dialog} isBusy={isBusy} onSubmit={save}>
      {children}
      {reason.field}
    </DialogForm>
  )
}
