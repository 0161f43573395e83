/** One example of each mail, for the previews and for the test that renders them all. */
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

export const SAMPLES: Record<string, object> = {
  'order-confirmation': order,
  'order-notification': order,
  'order-status-update': {
    ...order,
    status: 'shipped',
    trackingNumber: 'TCG1234567',
    courier: { name: 'The Courier Guy', contactPerson: 'Anna', contactPhone: '010 222 2300' },
  },
  'payment-reminder': { ...order, status: 'pending_payment' },
  refund: { ...order, refundAmount: 500, refundReason: 'One stick bait came with a bent hook' },
  'newsletter-signup': { signupId: '00000000-0000-4000-8000-000000000007' },
  'contact-notification': {
    name: 'Sipho Dlamini',
    email: 'sipho@example.com',
    subject: 'Hooks for the 150',
    message: 'Howzit,\n\nwhich hooks fit the 150 mm popper?\n\nSipho',
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
  },
  'email-confirmation': { link },
  'password-recovery': { link },
  'sign-in-link': { link },
}
