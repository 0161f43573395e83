import { callFunction } from '#app/data/query-backend.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export interface Recipient {
  email: string | null
  full_name: string | null
  /** Adds the e-mail to this order's timeline. */
  orderId?: string
}

export function useEmail({ email, full_name, orderId }: Recipient) {
  return useToastMutation({
    mutationFn: (draft: { subject: string; message: string }) =>
      callFunction('send-admin-email', {
        to: email,
        ...draft,
        customerName: full_name,
        ...(orderId && { orderId }),
      }),
    success: 'Email sent successfully',
    invalidates: orderId ? ['order-mails'] : [],
  })
}
