import { render, toPlainText } from '@react-email/render'

import { isMailName, type MailName } from '#domain/mails.ts'

import type { BindTemplate, BoundTemplate } from './template.ts'
import { accountMails } from './templates/account.tsx'
import { alert } from './templates/alert.tsx'
import { lowStock } from './templates/low-stock.tsx'
import { orderConfirmation } from './templates/order-confirmation.tsx'
import { orderNotification } from './templates/order-notification.tsx'
import { orderStatusUpdate } from './templates/order-status-update.tsx'
import { messageMails } from './templates/messages.tsx'
import { paymentMails } from './templates/payment.tsx'
import { backInStock } from './templates/stock.tsx'

/** By the template name in the outbox. */
const TEMPLATES: Record<MailName, BindTemplate> = {
  ...accountMails,
  ...messageMails,
  ...paymentMails,
  'order-confirmation': orderConfirmation,
  'order-notification': orderNotification,
  'order-status-update': orderStatusUpdate,
  'back-in-stock': backInStock,
  'low-stock': lowStock,
  alert,
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

/** Throws when the template is unknown or lacks a prop. */
export function bindMail(name: string, props: unknown, publicUrl: string): BoundTemplate {
  if (!isMailName(name)) throw new Error(`unknown mail template "${name}"`)
  return TEMPLATES[name](props, publicUrl)
}

export async function renderMail(name: string, props: unknown, publicUrl: string): Promise<RenderedMail> {
  const { body, ...envelope } = bindMail(name, props, publicUrl)
  const html = await render(body)
  return { ...envelope, html, text: toPlainText(html, TEXT_OPTIONS) }
}
