import type { SupabaseClient } from '@supabase/supabase-js'
import { delivery, putInCart } from '#test/storefront-calls/shopping.ts'
import { aCustomer } from './fixtures/customer.ts'
import { expect, test } from './fixtures/journey.ts'
import { aBuyer, aPaidOrder } from './fixtures/order-over-api.ts'
import type { OpenShop } from './shop.ts'

test('a word without a space, however long, makes no page of the admin area and no printed page wider than the screen', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const orderId = await longWords(shop, staff)
  const tooWide: Record<string, number> = {}

  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [
      'messages',
      'gallery',
      'orders',
      `orders/${orderId}`,
      'clients',
      'subscribers',
      `print/packing-slips?orders=${orderId}`,
      `print/invoices?orders=${orderId}`,
    ]) {
      await page.goto(`/admin/${path}`, { waitUntil: 'networkidle' })
      const widest = await page.evaluate(() =>
        Math.max(
          document.documentElement.scrollWidth,
          ...Array.from(document.querySelectorAll('article'), ({ scrollWidth }) => scrollWidth),
        ),
      )
      if (widest > width) tooWide[`${path} at ${width} px`] = widest
    }
  }

  expect(tooWide).toEqual({})
})

test('the forms over an order stand between equal margins on a phone', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/admin/orders/${order.id}`)
  for (const [button, dialog] of [
    ['Change address', 'Change address'],
    ['Write to the customer', 'Send Email'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    const form = page.getByRole('dialog', { name: dialog }).locator('form')
    const [left, right] = await form.evaluate((element) => {
      const [inner, outer] = [element, element.closest('dialog') ?? element].map((box) =>
        box.getBoundingClientRect(),
      )
      return [(inner?.left ?? 0) - (outer?.left ?? 0), (outer?.right ?? 0) - (inner?.right ?? 0)]
    })
    expect(Math.abs((left ?? 0) - (right ?? 0)), `${dialog}: ${left} px and ${right} px`).toBeLessThanOrEqual(
      1,
    )
    await page.keyboard.press('Escape')
  }
})

test('the position in a list and the button for its columns stand on one line of a phone, also beyond the last page', async ({
  brother: { page },
  shop,
}) => {
  await aPaidOrder(shop)
  await page.setViewportSize({ width: 390, height: 844 })
  const section = page.getByRole('region', { name: 'Clients' })
  for (const address of ['', '?page=99']) {
    await page.goto(`/admin/clients${address}`)
    const position = await section.getByRole('navigation', { name: 'Pages of clients' }).first().boundingBox()
    const columns = await section.getByRole('button', { name: 'Columns and density' }).boundingBox()
    expect(columns?.y, `at “${address}”`).toBeCloseTo(position?.y ?? -1, 0)
    expect(columns?.x).toBeGreaterThan(position?.x ?? Infinity)
  }
})

test('the palette keeps an e-mail address on one line of a phone, inside the dialog', async ({
  brother: { page },
  shop,
}) => {
  const { email } = await aCustomer(shop)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin')
  await page.getByRole('button', { name: /Search or jump to/ }).click()
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await palette.getByRole('combobox').fill(email)

  const address = palette.getByRole('option').getByText(email, { exact: true })
  await expect(address).toBeVisible()
  const { overflow, height, lineHeight } = await address.evaluate((element) => ({
    overflow:
      element.getBoundingClientRect().right -
      (element.closest('[role=listbox]')?.getBoundingClientRect().right ?? 0),
    height: element.getBoundingClientRect().height,
    lineHeight: Number.parseFloat(getComputedStyle(element).lineHeight),
  }))
  expect(height).toBeLessThan(1.5 * lineHeight)
  expect(overflow).toBeLessThanOrEqual(0)
})

test('the orders list at 1024 px shows a name and a short e-mail address on one line each, beside two badges and a tracking number', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const { order, goToPay } = await aBuyer(shop)
  const payments = [await goToPay(), await goToPay()]
  for (const press of payments) await press('pay')
  await staff.from('orders').update({ tracking_number: 'TCG10000042' }).eq('id', order.id).throwOnError()
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.goto(`/admin/orders?search=${order.order_number}`)

  const row = page.getByRole('row').filter({ hasText: order.number })
  await expect(row).toContainText('TCG10000042')
  await expect(row).toContainText(/Needs attention\s*Paid/)
  for (const words of ['Thandi Mokoena', 'thandi@example.com']) {
    const lines = await row
      .getByText(words, { exact: true })
      .last()
      .evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size
      })
    expect(lines, words).toBe(1)
  }
  const overflow = await page
    .getByRole('table')
    .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? 0))
  expect(overflow).toBeLessThanOrEqual(0)
})

/** Words of the greatest length that strangers can send, in a message, a photo's text, an order and a subscription. Returns the order's id. */
async function longWords(shop: OpenShop, staff: SupabaseClient): Promise<string> {
  const email = `${'e'.repeat(60)}@${'h'.repeat(60)}.example.com`
  const image_url = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  const customer = await aCustomer(shop)
  await putInCart(customer)
  const written = [
    await staff.from('contact_submissions').insert({
      name: 'N'.repeat(100),
      email,
      subject: 'S'.repeat(200),
      message: 'm'.repeat(2000),
    }),
    await staff.from('gallery_submissions').insert({
      customer_name: 'N'.repeat(100),
      description: 'd'.repeat(500),
      image_url,
      image_urls: [image_url],
    }),
    await staff.from('newsletter_signups').insert({ email }),
  ]
  const { data, error } = await customer.client
    .rpc('place_order', {
      idempotency_key: crypto.randomUUID(),
      delivery: {
        ...delivery,
        full_name: 'N'.repeat(100),
        email,
        address: 'a'.repeat(200),
        city: 'c'.repeat(50),
        notes: 'n'.repeat(500),
        shipping_method: 'locker',
        locker_location: 'l'.repeat(200),
      },
      expected_total: 600,
      promo_code: null,
    })
    .single<{ id: string }>()
  const refused = [...written.map((answer) => answer.error), error].find(Boolean)
  if (refused || !data) throw refused ?? new Error('no order was placed')
  return data.id
}
