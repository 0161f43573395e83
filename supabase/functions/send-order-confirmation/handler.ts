import { orderConfirmationSchema } from '#functions/_shared/order-mail-input.ts'
import { requestOrderMails } from '#functions/_shared/order-mails.ts'
import { withErrorResponse, readInput } from '#functions/_shared/function-error.ts'

export const sendOrderConfirmation = withErrorResponse<'send-order-confirmation'>(
  async (request, context) => {
    const { orderId } = await readInput(request, orderConfirmationSchema)
    return requestOrderMails(orderId, context)
  },
)
