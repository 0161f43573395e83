/** Every mail of the shop: the name of its template, and what staff call it. The compiler asks for a template and a sample of each. */
export const MAIL_NAMES = {
  'order-confirmation': 'Order confirmation',
  'order-notification': 'New order (to the shop)',
  'order-status-update': 'Order status',
  'payment-reminder': 'Payment reminder',
  'payment-top-up': 'Payment link for the difference',
  refund: 'Refund',
  'refund-correction': 'Refund correction',
  'payment-correction': 'Payment correction',
  'admin-email': 'E-mail from staff',
  'contact-notification': 'Message from the contact form',
  'contact-received': 'Message received',
  'back-in-stock': 'Back in stock',
  'low-stock': 'Low stock',
  alert: 'Alert (to the shop)',
  'gallery-notification': 'New photo (to the shop)',
  'newsletter-confirmation': 'Newsletter confirmation',
  'newsletter-signup': 'Newsletter welcome',
  // Confidential: staff see neither these mails nor these names.
  'email-confirmation': 'email confirmation',
  'email-verification': 'email verification',
  'password-recovery': 'password recovery',
  'sign-in-link': 'sign in link',
  invitation: 'invitation',
  'email-change-from-here': 'email change from here',
  'email-change-to-here': 'email change to here',
  reauthentication: 'reauthentication',
  'account-closed': 'account closed',
} as const

export type MailName = keyof typeof MAIL_NAMES

export function isMailName(name: string): name is MailName {
  return Object.hasOwn(MAIL_NAMES, name)
}

export const MAIL_TEMPLATES = Object.keys(MAIL_NAMES).filter(isMailName)
