import type { FunctionHandler } from '#backend/functions/create-functions.ts'

import type { Given } from './_shared/given.ts'
import { generatePayfastPayment } from './generate-payfast-payment/handler.ts'
import { sendOrderConfirmation } from './send-order-confirmation/handler.ts'
import { sendOrderNotification } from './send-order-notification/handler.ts'
import { updateOrderStatus } from './update-order-status/handler.ts'

/** Every server function of the shop, by the name it is called with. */
export const functions: Record<string, FunctionHandler<Given>> = {
  'generate-payfast-payment': generatePayfastPayment,
  'send-order-confirmation': sendOrderConfirmation,
  'send-order-notification': sendOrderNotification,
  'update-order-status': updateOrderStatus,
}
