import { isUniqueViolation } from '#app/data/backend-error.ts'
import { callFunction, queryBackend } from '#app/data/query-backend.ts'
import type { Contact } from '#domain/validation/contact.ts'

/** Ids of messages whose response was lost, by their text: the shop may have saved them, and must not save them again. */
const unanswered = new Map<string, string>()

/** Saves the message, once for repeated tries; throws when that fails. */
export async function sendMessage(message: Contact): Promise<void> {
  const text = JSON.stringify(message)
  const id = unanswered.get(text) ?? crypto.randomUUID()
  unanswered.set(text, id)
  await queryBackend((backend) => backend.from('contact_submissions').insert({ id, ...message })).catch(
    (cause: unknown) => {
      if (!isUniqueViolation(cause)) throw new Error('Failed to save contact submission', { cause })
    },
  )
  unanswered.delete(text)
  // The message is saved and its e-mail queued, so a failure here is only logged: a retry would duplicate the message.
  await callFunction('send-contact-notification', message).catch((error: unknown) =>
    console.error('Failed to send email notification', error),
  )
}
