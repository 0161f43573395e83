import { useState, type FormEvent } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { TextArea, TextField } from '#app/ui/field.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import styles from '../list/form-dialog.module.css'
import { useEmailClient, type Client } from './client.ts'

export function EmailDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const toast = useToast()
  const email = useEmailClient(client)
  const [subject, setSubject] = useState('')
  const [message, setMessage] = useState('')
  const isFilled = subject.trim() !== '' && message.trim() !== ''

  // Enter in the subject submits too, while the button is disabled.
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isFilled) email.mutate({ subject, message }, { onSuccess: onClose })
    else toast({ title: 'Error', description: 'Please fill in all fields', tone: 'destructive' })
  }

  return (
    <Dialog title="Send Email" isOpen onClose={onClose}>
      <form className={styles.form} onSubmit={send}>
        <TextField label="To" value={client.email ?? ''} readOnly />
        <TextField
          label="Subject"
          value={subject}
          maxLength={200}
          onChange={(event) => setSubject(event.target.value)}
        />
        <TextArea
          label="Message"
          rows={6}
          value={message}
          maxLength={10_000}
          onChange={(event) => setMessage(event.target.value)}
        />
        <div className={styles.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="action" disabled={!isFilled || email.isPending}>
            Send Email
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
