import { describe, expect, it } from 'vitest'
import { shop } from '#shop'
import type { MailName } from '#domain/mails.ts'
import { SAMPLE_ORIGIN, sampleMail } from '#test/sample-mail.ts'

const ORDER_ID = '00000000-0000-4000-8000-000000000042'
const ORDER_PAGE = `${SAMPLE_ORIGIN}/account/orders/${ORDER_ID}`

/** Returns the text part of the sample with `changes`, each run of white space as one space. */
async function textOf(name: MailName, changes: object = {}): Promise<string> {
  return (await sampleMail(name, changes)).text
}

const handOver = { shippingMethod: 'hand-over', lockerLocation: null, shippingAddress: null }

describe('an order mail', () => {
  it('names the colour and the hook option of each line', async () => {
    const text = await textOf('order-confirmation')

    expect(text).toContain('Mahi Mahi · With Hooks')
    expect(text).toContain('Pink Stinger · Without Hooks')
  })

  it.each(['order-status-update', 'refund'] as const)(
    'says in %s how many units of a line are taken off the order',
    async (name) => {
      const items = [
        { productName: 'Stick bait', quantity: 3, price: 500, returnedQuantity: 2 },
        { productName: 'Popper', quantity: 1, price: 140, returnedQuantity: 0 },
      ]

      const { html, text } = await sampleMail(name, { items })

      expect(text).toContain('3 × R500.00 2 of these taken off the order')
      expect(html).toContain('2 of these taken off the order')
      expect(text.match(/of these taken off the order/g)).toHaveLength(1)
    },
  )

  it('names the locker, the person and the whole address of a locker delivery', async () => {
    const text = await textOf('order-confirmation')

    expect(text).toContain(
      "To your locker Locker: Kenton Spar Thandi O'Neill 12 Beach Road Kenton-on-Sea Eastern Cape 6191",
    )
    expect(await textOf('order-confirmation', { lockerLocation: null })).toContain('Locker: nearest to you')
  })

  it('mentions no locker for a delivery to the door', async () => {
    const text = await textOf('order-confirmation', { shippingMethod: 'door-to-door', lockerLocation: null })

    expect(text).toContain('To your door Thandi')
    expect(text).not.toMatch(/locker/i)
  })

  it.each(['order-confirmation', 'order-notification'] as const)(
    'contains no address in %s for a hand-over in person',
    async (name) => {
      const text = await textOf(name, handOver)

      expect(text).not.toMatch(/To your|Kenton-on-Sea/)
      expect(text).not.toContain('Shipping')
    },
  )

  it('promises no packing within days for lures that must be made first', async () => {
    expect(await textOf('order-confirmation')).toContain('We’ll pack it within 1–2 business days')
    expect(await textOf('order-confirmation', { mustBeMade: true })).toContain(
      'At least one of your lures is made to order, which takes 5–10 business days. We’ll pack it within another 1–2 business days',
    )
  })

  it.each([
    ['order-confirmation', {}],
    ['order-status-update', {}],
    ['order-status-update', { status: 'processing' }],
    ['refund', {}],
    ['refund-correction', {}],
    ['payment-correction', {}],
  ] as const)(
    'links to the page of the order in %s only for a buyer with an account, who can open it',
    async (name, changes) => {
      expect(await textOf(name, changes)).toContain(ORDER_PAGE)
      expect(await textOf(name, { ...changes, hasAccount: false })).not.toMatch(/View your order|\/account\//)
    },
  )

  it('shows a picture that the mail program need not download in full size', async () => {
    const { html } = await sampleMail('order-confirmation')

    expect(html).toContain(
      `${SAMPLE_ORIGIN}/storage/v1/render/image/public/catalogue/popper-200-pink-stinger.jpg?width=160`,
    )
  })
})

describe('the order confirmation', () => {
  it('says that an order is paid, or only confirmed when it costs nothing', async () => {
    expect(await textOf('order-confirmation')).toContain('Your order 00042 is paid.')
    const free = { subtotal: 82, discountAmount: 82, totalAmount: 0 }
    expect(await textOf('order-confirmation', free)).toContain('Your order 00042 is confirmed.')
  })

  it('promises the parcel within the days of the shop’s settings, and a tracking number', async () => {
    const text = await textOf('order-confirmation')

    const { processingDays, courier, deliveryDays } = shop.shipping
    expect(text).toContain(
      `within ${processingDays.join('–')} business days, and ${courier} takes another ${deliveryDays.join('–')}.`,
    )
    expect(text).toContain('tracking number')
  })

  it('promises no parcel for a hand-over in person', async () => {
    const text = await textOf('order-confirmation', handOver)

    expect(text).toContain('We’ll hand it over to you in person')
    expect(text).not.toContain('tracking number')
  })

  it('greets the customer by the first name and repeats the customer’s note', async () => {
    const text = await textOf('order-confirmation')

    expect(text).toContain('Thank you, Thandi.')
    expect(text).toContain('Your note: Please ring twice')
  })

  it('informs of the right to cancel within the days that the law gives', async () => {
    const { coolingOffDays, defectMonths } = shop.returns

    const text = await textOf('order-confirmation')

    expect(text).toContain(`You may cancel within ${coolingOffDays} days of receiving your order`)
    expect(text).toContain(`at our cost for ${defectMonths} months`)
  })
})

describe('the shop’s mail about a new order', () => {
  it('names amount and customer in its subject, and is answered to the customer', async () => {
    const { subject, replyTo } = await sampleMail('order-notification')

    expect(subject).toBe("New order 00042: R1 558.00 from Thandi O'Neill")
    expect(replyTo).toBe('thandi@example.com')
  })

  it('names how the customer can be reached, and links to the order in the admin area', async () => {
    const text = await textOf('order-notification')

    expect(text).toContain("Thandi O'Neill · thandi@example.com · 082 555 0148")
    expect(text).toContain(`${SAMPLE_ORIGIN}/admin/orders/${ORDER_ID}`)
  })

  it('says that a hand-over needs no parcel, and nothing of it otherwise', async () => {
    expect(await textOf('order-notification', handOver)).toContain('nothing to ship')
    expect(await textOf('order-notification')).not.toContain('nothing to ship')
  })
})

describe('the mail about an order’s new status', () => {
  it('names tracking number, courier and the courier’s contact of a shipped order', async () => {
    const text = await textOf('order-status-update')

    expect(text).toContain('Tracking number TCG1234567 with The Courier Guy (Anna, 010 222 2300).')
  })

  it('tells that a cancelled order was reinstated and that its payment counts', async () => {
    const { subject, text } = await sampleMail('order-status-update', { status: 'new', isReinstated: true })

    expect(subject).toBe('Order 00042: Reinstated')
    expect(text).toContain('Back on the bench')
    expect(text).toContain('your payment still counts')
  })

  it('thanks for a hand-over instead of reporting a delivery', async () => {
    const text = await textOf('order-status-update', { ...handOver, status: 'delivered' })

    expect(text).toContain('Thank you')
    expect(text).toContain('We handed your order 00042 over to you in person.')
    expect(await textOf('order-status-update', { status: 'delivered' })).toContain(
      'Your order 00042 has been delivered.',
    )
  })

  it('names no address for a cancelled order, which is not sent', async () => {
    expect(await textOf('order-status-update', { status: 'cancelled' })).not.toContain('12 Beach Road')
    expect(await textOf('order-status-update', { status: 'processing' })).toContain('12 Beach Road')
  })

  it.each([
    {
      money: { received: 0, refunded: 0, ways: [] },
      text: 'There was nothing to pay, so there is nothing to refund.',
    },
    {
      money: { received: 1558, refunded: 1558, ways: ['payfast'] },
      text: 'We have already refunded the R1 558.00 that you paid.',
    },
    {
      money: { received: 1558, refunded: 500, ways: ['payfast'] },
      text: 'We’ll refund R1 058.00 to the card or bank account that you paid with.',
    },
    {
      money: { received: 1558, refunded: 0, ways: ['eft'] },
      text: 'We’ll refund R1 558.00 to your bank account, by EFT.',
    },
    {
      money: { received: 1558, refunded: 0, ways: ['cash'] },
      text: 'We’ll refund R1 558.00 to you, in cash or by EFT.',
    },
    {
      money: { received: 1558, refunded: 0, ways: ['payfast', 'cash'] },
      text: 'We’ll refund R1 558.00 the same way you paid.',
    },
  ])('says about the money of a cancelled order: $text', async ({ money, text }) => {
    expect(await textOf('order-status-update', { status: 'cancelled', money })).toContain(text)
  })
})

describe('the refund mail', () => {
  it('names the amount in subject and text, and the reason', async () => {
    const { subject, text } = await sampleMail('refund')

    expect(subject).toBe('Refund of R500.00 for order 00042')
    expect(text).toContain('We have refunded R500.00 of your order 00042 through PayFast, to the card')
    expect(text).toContain('Reason: One stick bait came with a bent hook')
  })

  it('does not name PayFast for a refund by hand', async () => {
    expect(await textOf('refund', { refundWay: 'by_hand' })).not.toContain('PayFast')
  })

  it('says how much of the payment was refunded and how much still counts', async () => {
    expect(await textOf('refund')).toContain(
      'You paid R1 558.00 in total, and we have refunded R500.00 of it. The remaining R1 058.00 still counts towards your order.',
    )
  })
})

describe('the mails that ask for a payment', () => {
  it('asks for the difference of a short payment, and names what was paid and what the order costs', async () => {
    const { subject, text } = await sampleMail('payment-top-up', { orderId: ORDER_ID })

    expect(subject).toBe('R58.00 left to pay for order 00042')
    expect(text).toContain('We received R1 500.00 for your order 00042, which costs R1 558.00.')
    expect(text).toContain('Please pay the remaining R58.00')
    expect(text).toContain(`Pay R58.00 <${ORDER_PAGE}>`)
    expect(text).toContain('we’ll refund the R1 500.00')
  })

  it('asks a buyer whose payment notice may be late not to pay again, and claims nothing about the charge', async () => {
    const text = await textOf('payment-reminder')

    expect(text).toContain('We have no payment for your order 00042 yet.')
    expect(text).toContain('If you have paid, please don’t pay again')
    expect(text).not.toContain('charged')
  })

  it('reminds of an unpaid order with the hours after which it is cancelled', async () => {
    const text = await textOf('payment-reminder')

    expect(text).toContain(`we cancel unpaid orders after ${shop.orders.unpaidExpireHours} hours`)
  })
})
