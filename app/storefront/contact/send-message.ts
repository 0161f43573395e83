import { callFunction, queryBackend } from '#app/data/query-backend.ts'
import type { Contact } from '#domain/validation/contact.ts'

/** Saves the message; throws when that fails. */
export async function sendMessage(message: Contact): Promise<void> {
  await queryBackend((backend) => backend.from('contact_submissions').insert(message)).catch(
    (cause: unknown) => {
      throw new Error('Failed to save contact submission', { cause })
    },
  )
  // The message is saved and its e-mail queued, so a failure here is only logged: a retry would duplicate the message.
  await callFunction('send-contact-notification', message).catch((error: unknown) =>
    console.error('Failed to send email notification', error),
  )
}
