const NAMES: Record<string, string> = {
  'order-confirmation': 'Order confirmation',
  'order-notification': 'New order, to the shop',
  'order-status-update': 'Status of the order',
  'payment-reminder': 'Reminder to pay',
  'payment-top-up': 'Payment link for the difference',
  refund: 'Refund',
  'refund-correction': 'Correction of a refund',
  'admin-email': 'Your mail',
  'contact-notification': 'Message from the contact form',
  'contact-received': 'We have your message',
  'back-in-stock': 'Back in stock',
  'low-stock': 'Running low',
  'gallery-notification': 'New photo, to the shop',
  'newsletter-confirmation': 'Newsletter confirmation',
  'newsletter-signup': 'Newsletter welcome',
}

/** What a template is called among the brothers. */
export function mailName(template: string): string {
  return NAMES[template] ?? template.replaceAll('-', ' ')
}
