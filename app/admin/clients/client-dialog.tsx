import { useState, type FormEvent } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import { useUpdateClient, type Client, type ClientDetails } from './client.ts'
import { fieldsOf } from '../form/fields-of.ts'
import { useEdit } from '../form/use-edit.tsx'

/** The maximum lengths are those of the database. */
const FIELDS: Record<keyof ClientDetails, { label: string; maxLength: number }> = {
  full_name: { label: 'Full Name', maxLength: 100 },
  phone: { label: 'Phone', maxLength: 20 },
  address: { label: 'Address', maxLength: 200 },
  city: { label: 'City', maxLength: 50 },
  state: { label: 'State', maxLength: 50 },
  zip_code: { label: 'Zip Code', maxLength: 10 },
}

interface Props {
  client: Client
  isEditing: boolean
  onClose: () => void
}

export function ClientDialog({ client, isEditing, onClose }: Props) {
  const update = useUpdateClient()
  const [details, setDetails] = useState(() => detailsOf(client))
  const { save, conflict } = useEdit({
    row: client,
    mutation: update,
    values: details,
    onSaved: onClose,
    onTake: (theirs) => setDetails(detailsOf(theirs)),
  })
  const textOf = fieldsOf(details, setDetails)
  const field = (name: keyof ClientDetails) => (
    <TextField {...FIELDS[name]} {...textOf(name)} readOnly={!isEditing} />
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(details)
  }

  return (
    <FormDialog
      title={isEditing ? 'Edit Client' : 'Client Details'}
      isOpen
      isBusy={update.isPending}
      onClose={onClose}
    >
      <form className={styles.form} onSubmit={submit}>
        {conflict}
        {field('full_name')}
        <TextField label="Email" type="email" value={client.email ?? ''} readOnly />
        {field('phone')}
        {field('address')}
        <div className={styles.three}>
          {field('city')}
          {field('state')}
          {field('zip_code')}
        </div>
        {isEditing && <FormActions isBusy={update.isPending} onCancel={onClose} />}
      </form>
    </FormDialog>
  )
}

function detailsOf({ full_name, phone, address, city, state, zip_code }: Client): ClientDetails {
  return { full_name, phone, address, city, state, zip_code }
}
