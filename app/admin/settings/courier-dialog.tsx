import { useState, type ReactNode } from 'react'
import { DialogForm } from '../form/dialog-form.tsx'
import { useEdit } from '../form/use-edit.tsx'
import {
  CourierFields,
  courierValues,
  isCourierComplete,
  NEW_COURIER,
  useAddCourier,
  useChangeCourier,
  type Courier,
  type CourierInput,
} from '../orders/orders.ts'

export function NewCourierDialog({ onClose }: { onClose: () => void }) {
  const add = useAddCourier()
  const [draft, setDraft] = useState<CourierInput>(NEW_COURIER)
  return (
    <CourierForm
      title="Add a courier"
      submit="Add Courier"
      courier={draft}
      onChange={setDraft}
      isBusy={add.isPending}
      onSave={(values) => add.mutate(values, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

/** Edits a courier. Tracking links in e-mails that were already sent do not change. */
export function CourierDialog({ courier, onClose }: { courier: Courier; onClose: () => void }) {
  const change = useChangeCourier()
  const [draft, setDraft] = useState<CourierInput>(courier)
  const { save, conflict } = useEdit({
    row: courier,
    mutation: change,
    values: courierValues(draft),
    onSaved: onClose,
    onTake: setDraft,
  })
  return (
    <CourierForm
      title={`Edit ${courier.name}`}
      conflict={conflict}
      courier={draft}
      onChange={setDraft}
      isBusy={change.isPending}
      onSave={save}
      onClose={onClose}
    />
  )
}

interface FormProps {
  title: string
  submit?: string
  conflict?: ReactNode
  courier: CourierInput
  onChange: (courier: CourierInput) => void
  isBusy: boolean
  onSave: (values: CourierInput) => void
  onClose: () => void
}

function CourierForm({ conflict, courier, onChange, onSave, ...dialog }: FormProps) {
  const [isChecked, setIsChecked] = useState(false)
  const values = courierValues(courier)
  const submit = () => {
    setIsChecked(true)
    if (isCourierComplete(values)) onSave(values)
  }

  return (
    <DialogForm {...dialog} onSubmit={submit}>
      {conflict}
      <CourierFields
        courier={courier}
        marksOptional
        nameError={isChecked && values.name === '' ? 'Enter a name' : null}
        onChange={onChange}
      />
    </DialogForm>
  )
}
