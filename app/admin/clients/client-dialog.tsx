import { useState, type FormEvent } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { ConflictMessage } from '../form/conflict-message.tsx'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import type { Versioned } from '../form/save-unless-changed.ts'
import { useUpdateClient, type Client, type ClientDetails } from './client.ts'

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
  const update = useUpdateClient(client.id)
  const [seen, setSeen] = useState(client)
  const [details, setDetails] = useState(() => detailsOf(client))

  const saveOver = (version: Versioned) => update.mutate({ details, seen: version }, { onSuccess: onClose })
  const save = (event: FormEvent) => {
    event.preventDefault()
    saveOver(seen)
  }
  const take = (now: Versioned) => {
    const theirs = { ...client, ...now }
    setSeen(theirs)
    setDetails(detailsOf(theirs))
    update.reset()
  }

  const field = (name: keyof ClientDetails) => (
    <TextField
      {...FIELDS[name]}
      value={details[name] ?? ''}
      readOnly={!isEditing}
      onValue={(value) => setDetails({ ...details, [name]: value })}
    />
  )

  return (
    <FormDialog title={isEditing ? 'Edit Client' : 'Client Details'} isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={save}>
        <ConflictMessage error={update.error} mine={details} onTake={take} onKeep={saveOver} />
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
