const NAMES: Record<string, string> = {
  'order-confirmation': 'Order confirmation',
  'order-notification': 'New order (to the shop)',
  'order-status-update': 'Order status',
  'payment-reminder': 'Payment reminder',
  'payment-top-up': 'Payment link for the difference',
  refund: 'Refund',
  'refund-correction': 'Refund correction',
  'admin-email': 'E-mail from staff',
  'contact-notification': 'Message from the contact form',
  'contact-received': 'Message received',
  'back-in-stock': 'Back in stock',
  'low-stock': 'Low stock',
  'gallery-notification': 'New photo (to the shop)',
  'newsletter-confirmation': 'Newsletter confirmation',
  'newsletter-signup': 'Newsletter welcome',
}

/** The template's name for staff. */
export function mailName(template: string): string {
  return NAMES[template] ?? template.replaceAll('-', ' ')
}
