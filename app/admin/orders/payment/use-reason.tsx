import { useState } from 'react'
import { TextField } from '#app/ui/form/field.tsx'

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
