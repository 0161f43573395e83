import { callFunction } from './call-function.ts'
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
    change: (letter: { subject: string; message: string }) =>
      callFunction('send-admin-email', {
        to: email,
        ...letter,
        customerName: full_name,
        ...(orderId && { orderId }),
      }),
    done: 'Email sent successfully',
    refreshes: orderId ? ['orders'] : [],
  })
}
