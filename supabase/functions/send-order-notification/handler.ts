import { orderNotificationSchema } from '#functions/_shared/order-mail-input.ts'
import { requestOrderMails } from '#functions/_shared/order-mails.ts'
import { withErrorResponse, readInput } from '#functions/_shared/function-error.ts'

export const sendOrderNotification = withErrorResponse<'send-order-notification'>(
  async (request, context) => {
    const { orderId } = await readInput(request, orderNotificationSchema)
    return requestOrderMails(orderId, context)
  },
)
