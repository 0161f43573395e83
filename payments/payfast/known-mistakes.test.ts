/**
 * Mistakes of public PayFast plug-ins, one test each, with the plug-in's name. The tests use the shop's HTTP endpoints and compute
 * signatures independently, so that an error in the shop's own signature code cannot hide itself.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { parseSettings } from '#server/settings.ts'
import { md5, openPayingShop, PASSPHRASE, PAYFAST_ADDRESS, type PayingShop } from '#test/paying-shop.ts'

import { signedForm } from './form.ts'
import { isSignedBy, parseNotice } from './notice.ts'
import { isSameSignature } from './signature.ts'

const STRANGER = '203.0.113.7'

let paying: PayingShop
beforeAll(async () => {
  paying = await openPayingShop()
})
beforeEach(() => {
  paying.payfast.behaviour = 'valid'
})
afterAll(() => paying.close())

describe('the source of a notice (WooCommerce, Magento, PHP SDK, medusa-payfast, hard-coded lists)', () => {
  it('accepts a notice from an unknown address if PayFast confirms the notice', async () => {
    const payment = await paying.aPayment()

    await paying.notify(paying.bodyFor(payment), { forwardedFor: STRANGER })

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
    expect(await paying.sourceOf(payment.order)).toBe(`unknown: ${STRANGER} is not known as PayFast's`)
  })

  it.each([PAYFAST_ADDRESS, '197.97.145.150', '41.74.179.200', '102.216.36.130', '3.163.252.237'])(
    'recognises the address %s, which the proxy reports, as PayFast’s',
    async (address) => {
      const payment = await paying.aPayment()

      await paying.notify(paying.bodyFor(payment), { forwardedFor: address })

      expect(await paying.sourceOf(payment.order)).toBe(`passed: ${address} is one of PayFast's addresses`)
    },
  )

  it('ignores addresses in headers that the sender of a notice has set', async () => {
    const payment = await paying.aPayment()

    await paying.notify(paying.bodyFor(payment), {
      forwardedFor: `${PAYFAST_ADDRESS}, ${STRANGER}`,
      referer: 'https://www.payfast.co.za/',
    })

    expect(await paying.sourceOf(payment.order)).toMatch(/^unknown/)
  })
})

describe('the confirmation (WooCommerce, django-payfast, omnipay-payfast)', () => {
  it('marks an order as paid only after PayFast’s confirmation stops returning 403', async () => {
    const payment = await paying.aPayment()
    paying.payfast.behaviour = 'outage'
    await paying.notify(paying.bodyFor(payment))
    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment', outcomes: [] })

    paying.payfast.behaviour = 'valid'
    await paying.laterJobs()

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new' })
  })

  it('requests PayFast’s confirmation as a form with a user agent', async () => {
    await paying.notify(paying.bodyFor(await paying.aPayment()))

    expect(paying.payfast.lastConfirmHeaders).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': expect.stringMatching(/^\w+/),
    })
  })

  it.each(['FAILED', 'PENDING', 'CANCELLED', 'complete', ''])(
    'records no payment for a notice with the status %j',
    async (payment_status) => {
      const payment = await paying.aPayment()

      await paying.notify(paying.bodyFor(payment, { payment_status }))

      expect(await paying.stateOf(payment.order)).toMatchObject({
        status: 'pending_payment',
        payments: 0,
        outcomes: ['not_a_payment'],
      })
    },
  )
})

describe('notices that overlap or come again (WooCommerce, Magento, OpenCart)', () => {
  it('records one payment and sends each e-mail once when notices overlap', async () => {
    const payment = await paying.aPayment()
    const body = paying.bodyFor(payment)
    await Promise.all([paying.notify(body), paying.notify(body)])
    await paying.shop.database.owner.query(`update public.orders set status = 'processing' where id = $1`, [
      payment.order.id,
    ])

    await paying.notify(body)

    expect(await paying.stateOf(payment.order)).toMatchObject({
      status: 'processing',
      payments: 1,
      outcomes: ['paid', 'repeated', 'repeated'],
    })
    expect(await paying.mailsOf(payment.order, 'order-confirmation')).toBe(1)
  })
})

describe('the amount (WooCommerce, Magento, omnipay-payfast, dj-payfast, medusa-payfast)', () => {
  it.each(['599.99', '600.01', '6.00', '60000.00', '0.00', '600'])(
    'compares the notice’s amount R%s with the order’s R600.00 to the cent',
    async (amount_gross) => {
      const payment = await paying.aPayment()

      await paying.notify(paying.bodyFor(payment, { amount_gross }))

      const isPaid = amount_gross === '600'
      expect(await paying.stateOf(payment.order)).toMatchObject({
        status: isPaid ? 'new' : 'pending_payment',
        outcomes: [isPaid ? 'paid' : 'wrong_amount'],
      })
    },
  )

  it('sends the amount to PayFast in rand with two decimals', async () => {
    expect((await paying.aPayment()).form.amount).toBe('600.00')
  })

  it('compares a notice’s amount with its payment attempt and ignores other fields', async () => {
    const [first, second] = [await paying.aPayment(), await paying.aPayment()]

    await paying.notify(
      paying.bodyFor(first, {
        amount_gross: '1.00',
        custom_str3: second.order.id,
        item_name: second.form.item_name,
      }),
    )

    expect(await paying.stateOf(first.order)).toMatchObject({ outcomes: ['wrong_amount'] })
    expect(await paying.stateOf(second.order)).toMatchObject({ status: 'pending_payment', outcomes: [] })
  })
})

describe('a forged notice (OpenCart, omnipay-payfast, dj-payfast, warhsn/payfast, node-payfast, medusa-payfast)', () => {
  it('refuses a forged notice with 400, changes no order and sends no e-mail', async () => {
    const payment = await paying.aPayment()
    await paying.notify(paying.bodyFor(payment))
    const open = await paying.aPayment()

    const answers = [
      await paying.notify(paying.bodyFor(payment, { payment_status: 'FAILED' }, 'guessed')),
      await paying.notify(paying.bodyFor(open, {}, 'guessed')),
    ]

    expect(answers).toEqual([400, 400])
    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new' })
    expect(await paying.stateOf(open.order)).toMatchObject({ status: 'pending_payment', payments: 0 })
    expect(await paying.mailsOf(open.order)).toBe(0)
    expect((await paying.askForForm(open)).m_payment_id).toMatch(/^\d{5}-/)
  })

  it('compares signatures as text, never as numbers', () => {
    // Two digests that PHP's == compares as the number 0.
    expect(isSameSignature('0e462097431906509019562988736854', '0e830400451993494058024219903391')).toBe(
      false,
    )
    expect(isSameSignature(md5('a'), md5('b'))).toBe(false)
  })

  it('changes no order for another merchant’s notice', async () => {
    const payment = await paying.aPayment()

    await paying.notify(paying.bodyFor(payment, { merchant_id: '10000101' }))

    expect(await paying.stateOf(payment.order)).toMatchObject({
      status: 'pending_payment',
      outcomes: ['wrong_merchant'],
    })
  })
})

describe('the return page (medusa-payfast, and every thank-you page that marks an order paid)', () => {
  it('shows the order’s stored state on the return page and does not mark the order as paid', async () => {
    const { buyer, order } = await paying.aPayment()

    const { data } = await buyer.client.functions.invoke('update-order-status', {
      body: { orderId: order.id },
    })

    expect(data).toMatchObject({ paid: false, status: 'pending_payment' })
  })
})

describe('the signature of a notice', () => {
  it.each([
    ['an undocumented field (django-payfast)', 'billing_date=2026-11-21&'],
    ['the token second (django-payfast)', 'token=dc0521d3-55fe-269b-fa00-b647310d760f&'],
    ['blanks (medusa-payfast, warhsn/payfast)', 'custom_str1=&custom_int1=&'],
    ['spaces at the ends of a value (warhsn/payfast)', 'name_first=+Thandi+&'],
    ['an ampersand in a value (WHMCS)', 'item_name=Rods+%26+Reels&'],
    ['what looks like HTML (OpenCart)', 'item_name=Salt+%26amp%3B+Freak+%3Cb%3E&'],
    [
      'a tilde, quotes and other scripts (django-payfast, louislewis2/payfast)',
      'name_last=%7E%22%C3%AB%F0%9F%8E%A3%27&',
    ],
    ['fields in another order (louislewis2/payfast)', 'amount_gross=1.00&'],
  ])('verifies a notice’s signature over all received fields, including %s', (_, pairs) => {
    const parameters = `m_payment_id=00042-a&${pairs}merchant_id=10000100`
    const notice = parseNotice(`${parameters}&signature=${md5(`${parameters}&passphrase=salt%2Fand-pepper`)}`)

    expect(notice && isSignedBy(notice, PASSPHRASE)).toBe(true)
  })

  it('rejects a notice that is signed over sorted fields (dj-payfast, medusa-payfast, snippets)', () => {
    const received = 'm_payment_id=00042-a&amount_gross=1.00'
    const sorted = 'amount_gross=1.00&m_payment_id=00042-a'
    const notice = parseNotice(`${received}&signature=${md5(`${sorted}&passphrase=salt%2Fand-pepper`)}`)

    expect(notice && isSignedBy(notice, PASSPHRASE)).toBe(false)
  })

  it('accepts a notice signed without a passphrase only if none is configured (offsite_payments, louislewis2/payfast)', () => {
    const bare = parseNotice(`a=b&signature=${md5('a=b')}`)

    expect(bare && isSignedBy(bare, PASSPHRASE)).toBe(false)
    expect(bare && isSignedBy(bare, null)).toBe(true)
  })
})

describe('the signed form', () => {
  it('encodes the form fields as PHP does (node-payfast, django-payfast, louislewis2/payfast, WooCommerce)', () => {
    const form = signedForm({ name_first: `O'Neill ~*!()`, name_last: 'Salt & "Sons" <ë>' }, null)

    expect(form.signature).toBe(
      md5('name_first=O%27Neill+%7E%2A%21%28%29&name_last=Salt+%26+%22Sons%22+%3C%C3%AB%3E'),
    )
  })

  it('encodes a URL in a form field (WooCommerce 1.6.5)', () => {
    const { signature } = signedForm({ custom_str2: 'https://shop.example/?a=1&b=2' }, null)

    expect(signature).toBe(md5('custom_str2=https%3A%2F%2Fshop.example%2F%3Fa%3D1%26b%3D2'))
  })

  it('signs "0" but no blank fields, in PayFast’s field order (PHP SDK, payfast-common, WooCommerce, warhsn/payfast, medusa-payfast)', () => {
    const form = signedForm(
      { custom_int1: '0', item_name: 'x', item_description: '', merchant_id: '1' },
      null,
    )

    expect(Object.keys(form)).toEqual(['merchant_id', 'item_name', 'custom_int1', 'signature'])
    expect(form.signature).toBe(md5('merchant_id=1&item_name=x&custom_int1=0'))
  })

  it('encodes the passphrase once and appends no empty passphrase (PHP SDK, invoiceninja, node-payfast, louislewis2/payfast)', () => {
    const { merchant_id, signature } = signedForm({ merchant_id: '1' }, PASSPHRASE)

    expect([merchant_id, signature]).toEqual(['1', md5('merchant_id=1&passphrase=salt%2Fand-pepper')])
    for (const none of ['', null])
      expect(signedForm({ merchant_id: '1' }, none).signature).toBe(md5('merchant_id=1'))
  })

  it('never posts the passphrase in the signed form (WooCommerce before 1.4.18, node-payfast, warhsn/payfast)', async () => {
    const { url, form } = await paying.aPayment()

    expect(new URL(url).search).toBe('')
    expect(form.signature).toMatch(/^[0-9a-f]{32}$/)
    expect(JSON.stringify(form)).not.toContain('pepper')
  })
})

describe('the settings (WooCommerce, node-payfast, snippets)', () => {
  const live = {
    PUBLIC_URL: 'https://shop.example',
    PAYFAST_MODE: 'live',
    PAYFAST_MERCHANT_ID: '10012345',
    PAYFAST_MERCHANT_KEY: 'abcdef0123456',
    PAYFAST_PASSPHRASE: PASSPHRASE,
  }

  it.each([
    ['a merchant id with letters', { PAYFAST_MERCHANT_ID: '10012345a' }],
    ['a merchant id that PayFast would cut', { PAYFAST_MERCHANT_ID: '100123456' }],
    ['PayFast’s public test merchant in a live shop', { PAYFAST_MERCHANT_ID: '10000100' }],
    ['a merchant key with a space', { PAYFAST_MERCHANT_KEY: 'abcdef 123456' }],
    ['a merchant key that PayFast would cut', { PAYFAST_MERCHANT_KEY: 'abcdef01234567' }],
    ['a passphrase PayFast does not allow', { PAYFAST_PASSPHRASE: 'salt & pepper' }],
    ['no passphrase in a live shop', { PAYFAST_PASSPHRASE: '' }],
    ['a live shop that PayFast cannot reach', { PUBLIC_URL: 'http://localhost:3000' }],
  ])('refuses to start the shop with %s', (_, wrong) => {
    expect(() => parseSettings({ ...live, ...wrong }, '.')).toThrow(/PAYFAST|PUBLIC_URL/)
  })

  it('never contacts the live PayFast from a shop in sandbox mode', () => {
    const { payfast: sandbox } = parseSettings({ ...live, PAYFAST_MODE: 'sandbox' }, '.')

    for (const address of [sandbox.processUrl, sandbox.validateUrl]) {
      expect(new URL(address).host).toBe('sandbox.payfast.co.za')
    }
  })
})
