import type { FunctionHandler } from '@saltfreak/backend'

import type { FunctionContext } from './_shared/function-context.ts'
import { adminFunctions } from './admin.ts'
import { generatePayfastPayment } from './generate-payfast-payment/handler.ts'
import { orderMailFunctions } from './order-mails.ts'
import { previewStaffEmail } from './preview-own-mail/handler.ts'
import { previewShippingMail } from './preview-shipping-mail/handler.ts'
import { sendAdminEmail } from './send-admin-email/handler.ts'
import { sendContactNotification } from './send-contact-notification/handler.ts'
import { sendGalleryNotification } from './send-gallery-notification/handler.ts'
import { sendNewsletterSignup } from './send-newsletter-signup/handler.ts'
import { sendOrderStatusUpdate } from './send-order-status-update/handler.ts'
import { sendTestMail } from './send-test-mail/handler.ts'
import { updateOrderStatus } from './update-order-status/handler.ts'

export const functions: Record<string, FunctionHandler<FunctionContext>> = {
  ...adminFunctions,
  ...orderMailFunctions,
  'generate-payfast-payment': generatePayfastPayment,
  'preview-own-mail': previewStaffEmail,
  'preview-shipping-mail': previewShippingMail,
  'send-admin-email': sendAdminEmail,
  'send-contact-notification': sendContactNotification,
  'send-gallery-notification': sendGalleryNotification,
  'send-newsletter-signup': sendNewsletterSignup,
  'send-order-status-update': sendOrderStatusUpdate,
  'send-test-mail': sendTestMail,
  'update-order-status': updateOrderStatus,
}
