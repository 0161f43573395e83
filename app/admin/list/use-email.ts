import { loadBackend } from '#app/session/backend.ts'
import { useChange } from './use-change.ts'

/** Somebody an admin may write to: a client, a buyer, somebody who has written to the shop. */
export interface Recipient {
  email: string | null
  full_name: string | null
  /** Puts the mail on this order's timeline. */
  orderId?: string
}

export function useEmail({ email, full_name, orderId }: Recipient) {
  return useChange({
    change: async (letter: { subject: string; message: string }) => {
      const backend = await loadBackend()
      const { error } = await backend.functions.invoke('send-admin-email', {
        body: { to: email, ...letter, customerName: full_name, ...(orderId && { orderId }) },
      })
      if (error) throw new Error(await refusalText(error), { cause: error })
    },
    done: 'Email sent successfully',
    refreshes: orderId ? ['orders'] : [],
  })
}

/** The function's own sentence, which the client hands on unread. */
async function refusalText(failure: { message: string; context?: unknown }): Promise<string> {
  if (!(failure.context instanceof Response)) return failure.message
  const answer: unknown = await failure.context.json().catch(() => null)
  const isSentence = typeof answer === 'object' && answer !== null && 'message' in answer
  return isSentence ? String(answer.message) : failure.message
}
