import type { FunctionHandler } from '@saltfreak/backend'

import type { FunctionContext } from './_shared/function-context.ts'
import { checkSetup } from './check-setup/handler.ts'
import { generatePayfastPayment } from './generate-payfast-payment/handler.ts'
import { previewStaffEmail } from './preview-own-mail/handler.ts'
import { previewShippingMail } from './preview-shipping-mail/handler.ts'
import { sendAdminEmail } from './send-admin-email/handler.ts'
import { sendContactNotification } from './send-contact-notification/handler.ts'
import { sendGalleryNotification } from './send-gallery-notification/handler.ts'
import { sendNewsletterSignup } from './send-newsletter-signup/handler.ts'
import { sendOrderConfirmation } from './send-order-confirmation/handler.ts'
import { sendOrderNotification } from './send-order-notification/handler.ts'
import { sendOrderStatusUpdate } from './send-order-status-update/handler.ts'
import { sendTestAlert } from './send-test-alert/handler.ts'
import { sendTestMail } from './send-test-mail/handler.ts'
import { showSettings } from './show-settings/handler.ts'
import { showSystem } from './show-system/handler.ts'
import { testPayfast } from './test-payfast/handler.ts'
import { updateOrderStatus } from './update-order-status/handler.ts'

export const functions: Record<string, FunctionHandler<FunctionContext>> = {
  'check-setup': checkSetup,
  'generate-payfast-payment': generatePayfastPayment,
  'preview-own-mail': previewStaffEmail,
  'preview-shipping-mail': previewShippingMail,
  'send-admin-email': sendAdminEmail,
  'send-contact-notification': sendContactNotification,
  'send-gallery-notification': sendGalleryNotification,
  'send-newsletter-signup': sendNewsletterSignup,
  'send-order-confirmation': sendOrderConfirmation,
  'send-order-notification': sendOrderNotification,
  'send-order-status-update': sendOrderStatusUpdate,
  'send-test-alert': sendTestAlert,
  'send-test-mail': sendTestMail,
  'show-settings': showSettings,
  'show-system': showSystem,
  'test-payfast': testPayfast,
  'update-order-status': updateOrderStatus,
}
