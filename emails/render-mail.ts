import { render, toPlainText } from '@react-email/render'

import { isMailName, type MailName } from '#domain/mails.ts'

import type { BindTemplate } from './template.ts'
import {
  accountClosed,
  emailChangeFromHere,
  emailChangeToHere,
  emailConfirmation,
  emailVerification,
  invitation,
  passwordRecovery,
  reauthentication,
  signInLink,
} from './templates/account.tsx'
import {
  adminEmail,
  contactNotification,
  contactReceived,
  galleryNotification,
  newsletterConfirmation,
  newsletterSignup,
} from './templates/messages.tsx'
import { alert } from './templates/alert.tsx'
import { lowStock } from './templates/low-stock.tsx'
import { orderConfirmation } from './templates/order-confirmation.tsx'
import { orderNotification } from './templates/order-notification.tsx'
import { orderStatusUpdate } from './templates/order-status-update.tsx'
import { paymentReminder, paymentTopUp, refund, refundCorrection } from './templates/payment.tsx'
import { backInStock } from './templates/stock.tsx'

/** By the template name in the outbox. */
const TEMPLATES: Record<MailName, BindTemplate> = {
  'order-confirmation': orderConfirmation,
  'order-notification': orderNotification,
  'order-status-update': orderStatusUpdate,
  'payment-reminder': paymentReminder,
  'payment-top-up': paymentTopUp,
  refund,
  'refund-correction': refundCorrection,
  'newsletter-confirmation': newsletterConfirmation,
  'newsletter-signup': newsletterSignup,
  'back-in-stock': backInStock,
  'low-stock': lowStock,
  alert,
  'contact-notification': contactNotification,
  'contact-received': contactReceived,
  'gallery-notification': galleryNotification,
  'admin-email': adminEmail,
  'email-confirmation': emailConfirmation,
  'email-verification': emailVerification,
  'password-recovery': passwordRecovery,
  'sign-in-link': signInLink,
  invitation,
  'email-change-from-here': emailChangeFromHere,
  'email-change-to-here': emailChangeToHere,
  reauthentication,
  'account-closed': accountClosed,
}

/** Only order lines and totals are data tables; all other tables are layout. */
const TEXT_OPTIONS: Parameters<typeof toPlainText>[1] = {
  wordwrap: 78,
  selectors: [
    { selector: 'table.columns', format: 'dataTable', options: { colSpacing: 3, rowSpacing: 0 } },
    { selector: 'img', format: 'skip' },
    { selector: 'h1', options: { uppercase: false } },
    { selector: 'h2', options: { uppercase: false } },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
  ],
}

export interface RenderedMail {
  subject: string
  html: string
  text: string
  replyTo: string | null
  unsubscribePath: string | null
}

export async function renderMail(name: string, props: unknown, publicUrl: string): Promise<RenderedMail> {
  if (!isMailName(name)) throw new Error(`unknown mail template "${name}"`)
  const { body, ...envelope } = TEMPLATES[name](props, publicUrl)
  const html = await render(body)
  return { ...envelope, html, text: toPlainText(html, TEXT_OPTIONS) }
}
