import { callFunction } from './call-function.ts'
import { useToastMutation } from './use-toast-mutation.ts'

export interface Recipient {
  email: string | null
  full_name: string | null
  /** Adds the e-mail to this order's timeline. */
  orderId?: string
}

export function useEmail({ email, full_name, orderId }: Recipient) {
  return useToastMutation({
    change: (draft: { subject: string; message: string }) =>
      callFunction('send-admin-email', {
        to: email,
        ...draft,
        customerName: full_name,
        ...(orderId && { orderId }),
      }),
    done: 'Email sent successfully',
    refreshes: orderId ? ['orders'] : [],
  })
}
