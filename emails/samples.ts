import type { MailName } from '#domain/mails.ts'

/** One example of each mail, for the previews and the tests. */
const order = {
  orderId: '00000000-0000-4000-8000-000000000042',
  orderNumber: 42,
  placedAt: '2026-11-21T08:30:00+02:00',
  customerName: "Thandi O'Neill",
  customerEmail: 'thandi@example.com',
  customerPhone: '082 555 0148',
  status: 'new',
  shippingMethod: 'locker',
  lockerLocation: 'Kenton Spar',
  shippingAddress: '12 Beach Road',
  shippingCity: 'Kenton-on-Sea',
  shippingState: 'Eastern Cape',
  shippingZip: '6191',
  notes: 'Please ring twice',
  subtotal: 1640,
  shippingCost: 0,
  discountAmount: 82,
  totalAmount: 1558,
  items: [
    {
      productName: 'Slow Sinking Stick Bait (180mm/150G)',
      productVariant: 'Mahi Mahi',
      quantity: 3,
      price: 500,
      withHooks: true,
      imageUrl: '/storage/v1/object/public/catalogue/stick-bait-180-mahi-mahi.jpg',
    },
    {
      productName: 'Chisel Nose Popper 200mm/50G',
      productVariant: 'Pink Stinger',
      quantity: 1,
      price: 140,
      withHooks: false,
      imageUrl: '/storage/v1/object/public/catalogue/popper-200-pink-stinger.jpg',
    },
  ],
}

const link = 'https://shop.example/auth/v1/verify?token=example'

export const SAMPLES: Record<MailName, object> = {
  'order-confirmation': order,
  'order-notification': order,
  'order-status-update': {
    ...order,
    status: 'shipped',
    trackingNumber: 'TCG1234567',
    courier: {
      name: 'The Courier Guy',
      contactPerson: 'Anna',
      contactPhone: '010 222 2300',
      trackingUrl: 'https://portal.thecourierguy.co.za/track?ref={number}',
    },
  },
  'payment-top-up': {
    ...order,
    orderId: '00000000-0000-4000-8000-000000000043',
    status: 'pending_payment',
    amountPaid: 1500,
    amountDue: 58,
  },
  'payment-reminder': { ...order, status: 'pending_payment' },
  refund: {
    ...order,
    refundAmount: 500,
    refundReason: 'One stick bait came with a bent hook',
    refundWay: 'payfast',
    money: { received: 1558, refunded: 500, ways: ['payfast'] },
  },
  'refund-correction': {
    ...order,
    refundAmount: 500,
    refundedAt: '2026-11-12T10:15:00+02:00',
    hadReturns: true,
    money: { received: 1558, refunded: 0, ways: ['payfast'] },
  },
  'newsletter-confirmation': {
    secret: '00000000000040008000000000000007',
    wording: 'Yes, e-mail me news and offers. I can unsubscribe at any time.',
  },
  'newsletter-signup': { signupId: '00000000-0000-4000-8000-000000000007' },
  'contact-notification': {
    name: 'Sipho Dlamini',
    email: 'sipho@example.com',
    subject: 'Hooks for the 150',
    message: 'Howzit,\n\nwhich hooks fit the 150 mm popper?\n\nSipho',
  },
  'contact-received': { receivedAt: '2026-11-21T08:30:00+02:00' },
  'back-in-stock': {
    alertId: '00000000-0000-4000-8000-000000000009',
    productName: 'Chisel Nose Popper 200mm/50G',
    variantName: 'Pink Stinger',
    imageUrl: '/storage/v1/object/public/catalogue/popper-200-pink-stinger.jpg',
    address: 'chisel-nose-popper-200mm-50g/pink-stinger',
  },
  'low-stock': {
    colours: [
      {
        productId: '00000000-0000-4000-8000-000000000011',
        productName: 'Slow Sinking Stick Bait (180mm/150G)',
        variantName: 'Mahi Mahi',
        imageUrl: '/storage/v1/object/public/catalogue/stick-bait-180-mahi-mahi.jpg',
        left: 0,
      },
      {
        productId: '00000000-0000-4000-8000-000000000012',
        productName: 'Chisel Nose Popper 200mm/50G',
        variantName: 'Pink Stinger',
        imageUrl: '/storage/v1/object/public/catalogue/popper-200-pink-stinger.jpg',
        left: 2,
      },
    ],
  },
  alert: {
    component: 'backups',
    state: 'failed',
    message: 'The newest backup is 27 hours old, although one is due every 24 hours.',
    action:
      'Check that /backups is mounted, writable and has free space. The shop’s log says why the backup failed.',
    since: '2026-11-21T08:30:00Z',
  },
  'gallery-notification': {
    customerName: 'Sipho Dlamini',
    email: 'sipho@example.com',
    description: 'Garrick, 8 kg, off the rocks at first light.',
    imageUrl: '/storage/v1/object/public/site/gallery/01-deck.jpg',
    submissionId: '00000000-0000-4000-8000-000000000001',
  },
  'admin-email': {
    subject: 'Your custom colour',
    message: 'Your popper is sealed and drying.\nIt swims on Friday.',
    customerName: 'Thandi',
    senderName: 'Derick',
    question: { message: 'When is it ready?\nAnd does it float?', askedAt: '2026-11-21T08:00:00Z' },
  },
  'email-confirmation': { link },
  'email-verification': { link },
  'password-recovery': { link },
  'sign-in-link': { link },
  invitation: { link },
  'email-change-from-here': { link },
  'email-change-to-here': { link },
  reauthentication: { code: '042317' },
  'account-closed': {},
}
