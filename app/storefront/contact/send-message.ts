import { loadBackend } from '#app/session/backend.ts'
import type { Contact } from '#domain/validation/contact.ts'

/** Leaves the message with the shop; throws when it is not kept. */
export async function sendMessage(message: Contact): Promise<void> {
  const client = await loadBackend()
  const saved = await client.from('contact_submissions').insert(message)
  if (saved.error) throw new Error('Failed to save contact submission', { cause: saved.error })

  const notified = await client.functions.invoke('send-contact-notification', { body: message })
  // The message is kept and its mail queued with it: asking the writer to send it again would make two of it.
  if (notified.error) console.error('Failed to send email notification', notified.error)
}
