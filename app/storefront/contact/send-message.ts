import { loadBackend } from '#app/data/backend.ts'
import type { Contact } from '#domain/validation/contact.ts'

/** Saves the message; throws when that fails. */
export async function sendMessage(message: Contact): Promise<void> {
  const client = await loadBackend()
  const saved = await client.from('contact_submissions').insert(message)
  if (saved.error) throw new Error('Failed to save contact submission', { cause: saved.error })

  const notified = await client.functions.invoke('send-contact-notification', { body: message })
  // The message is saved and its e-mail queued, so a failure here is only logged: a retry would duplicate the message.
  if (notified.error) console.error('Failed to send email notification', notified.error)
}
