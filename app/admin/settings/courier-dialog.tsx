import { useState } from 'react'
import { DialogForm } from '../form/dialog-form.tsx'
import { useEdit } from '../form/use-edit.tsx'
import {
  CourierFields,
  courierValues,
  isCourierComplete,
  useChangeCourier,
  type Courier,
  type CourierInput,
} from '../orders/orders.ts'

/** Edits a courier. Tracking links in e-mails that were already sent do not change. */
export function CourierDialog({ courier, onClose }: { courier: Courier; onClose: () => void }) {
  const change = useChangeCourier()
  const [draft, setDraft] = useState<CourierInput>(courier)
  const [isChecked, setIsChecked] = useState(false)
  const values = courierValues(draft)
  const { save, conflict } = useEdit({
    row: courier,
    mutation: change,
    values,
    onSaved: onClose,
    onTake: setDraft,
  })

  const submit = () => {
    setIsChecked(true)
    if (isCourierComplete(values)) save(values)
  }

  return (
    <DialogForm title={`Edit ${courier.name}`} isBusy={change.isPending} onSubmit={submit} onClose={onClose}>
      {conflict}
      <CourierFields
        courier={draft}
        marksOptional
        nameError={isChecked && draft.name.trim() === '' ? 'Enter a name' : null}
        onChange={setDraft}
      />
    </DialogForm>
  )
}
