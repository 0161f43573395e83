import type { Given } from '#functions/_shared/given.ts'
import { orderNotificationSchema } from '#functions/_shared/order-mail-input.ts'
import { requestOrderMails } from '#functions/_shared/order-mails.ts'
import { answering, readInput } from '#functions/_shared/refusal.ts'

export const sendOrderNotification = answering<Given>(async (request, given) => {
  const { orderId } = await readInput(request, orderNotificationSchema)
  return requestOrderMails(orderId, given)
})
