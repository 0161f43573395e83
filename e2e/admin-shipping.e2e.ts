import type { SupabaseClient } from '@supabase/supabase-js'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder, type ApiOrder } from './fixtures/order-over-api.ts'

/** Letters that no other parcel of this shop has in front, so that the guess is about this one. */
function someLetters(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) =>
    String.fromCharCode(65 + (byte % 26)),
  ).join('')
}

/** The shop has shipped with The Courier Guy under such numbers before. */
async function shippedBefore(staff: SupabaseClient, order: ApiOrder, trackingNumber: string): Promise<void> {
  const { data: courier } = await staff
    .from('courier_companies')
    .select('id')
    .eq('name', 'The Courier Guy')
    .single()
  const { error } = await staff
    .from('orders')
    .update({ status: 'shipped', tracking_number: trackingNumber, courier_company_id: courier?.id })
    .eq('id', order.id)
  if (error) throw error
}

async function openOrder(page: Page, order: ApiOrder) {
  await page.goto(`/admin/orders/${order.id}`)
  const details = page.getByRole('dialog', { name: 'Order Details' })
  await expect(details.getByLabel('Tracking Number')).toBeVisible()
  return details
}

/** As Ctrl+V with nothing focused does it. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    const { activeElement } = document
    if (activeElement instanceof HTMLElement) activeElement.blur()
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
  }, text)
}

test('a courier’s message is pasted anywhere, the courier is guessed, the mail is seen before it goes, and a lost parcel is replaced', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const letters = someLetters()
  await shippedBefore(staff, await aPaidOrder(shop), `${letters}10000001`)
  const order = await aPaidOrder(shop)
  const waybill = `${letters}10000002`
  const details = await openOrder(page, order)

  await paste(page, `Your parcel is booked. Waybill: ${waybill}. Thank you!`)
  await expect(details.getByLabel('Tracking Number')).toHaveValue(waybill)
  await expect(details.getByLabel('Courier Company')).toHaveValue(/.+/)
  await expect(details.getByText('Guessed from your earlier waybills')).toBeVisible()

  await details.getByRole('button', { name: 'See the mail first' }).click()
  const mail = page.getByRole('dialog', { name: `Order ${order.number.slice(1)}: Shipped` })
  await expect(mail).toContainText('Not sent yet.')
  const letter = mail.frameLocator('iframe')
  await expect(letter.getByText(waybill)).toBeVisible()
  await expect(letter.getByText('with The Courier Guy')).toBeVisible()
  await expect(letter.getByRole('link', { name: 'Follow your parcel' })).toBeVisible()
  await mail.getByRole('button', { name: 'Ship and send it' }).click()

  await expect(page.getByText('Tracking number updated and order marked as shipped')).toBeVisible()
  await expect(mail).toHaveCount(0)
  const sent = await shop.mailbox.waitFor(({ text }) => Boolean(text?.includes(waybill)))
  expect(sent.subject).toBe(`Order ${order.number.slice(1)}: Shipped`)

  const replacement = `${letters}10000003`
  await expect(
    details.getByText('Parcel lost? Send another and enter its tracking number here'),
  ).toBeVisible()
  await details.getByLabel('Tracking Number').fill(replacement)
  await details.getByRole('button', { name: 'Update Tracking & Ship Order' }).click()
  await shop.mailbox.waitFor(({ text }) => Boolean(text?.includes(replacement)))
  await details.getByRole('button', { name: 'Close' }).click()
  await expect(details).toHaveCount(0)
})

test('what was typed into an order, a verdict or the shelf is not lost by a slip', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const details = await openOrder(page, await aPaidOrder(shop))
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await details.getByLabel('New note').fill('Wrap it twice')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await details.getByRole('button', { name: 'Add note' }).click()
  await expect(details.getByLabel('New note')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)

  const name = `Lerato ${crypto.randomUUID().slice(0, 8)}`
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  await staff.from('gallery_submissions').insert({
    customer_name: name,
    description: 'On the deck at first light',
    image_url: picture,
    image_urls: [picture],
    status: 'pending',
  })
  await page.goto('/admin/gallery')
  await page.getByRole('article').filter({ hasText: name }).getByRole('button', { name: 'Decline' }).click()
  const decline = page.getByRole('dialog', { name: `Decline the photo from ${name}` })
  await decline.getByLabel('Reason').fill('Too dark')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(decline.getByLabel('Reason')).toHaveValue('Too dark')
  await decline.getByRole('button', { name: 'Cancel' }).click()
  await expect(decline).toHaveCount(0)

  const { data: product } = await staff.from('products').select('id').eq('status', 'live').limit(1).single()
  await page.goto(`/admin/products/${product?.id}/stock`)
  await page.getByRole('button', { name: 'Count' }).first().click()
  await page.getByLabel('Note (optional)').fill('Counted twice')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(page).toHaveURL(/\/admin\/orders$/)
})

test('a waybill is scanned where the browser can read barcodes, and only there', async ({
  brother: { page },
  shop,
}) => {
  const order = await aPaidOrder(shop)
  const details = await openOrder(page, order)
  await expect(details.getByRole('button', { name: 'Scan a waybill' })).toHaveCount(0)

  // The camera and the reader are the phone's: here a blank picture, and a reader that finds a number in it at the third look.
  await page.addInitScript(() => {
    const picture = document.createElement('canvas')
    setInterval(() => picture.getContext('2d')?.fillRect(0, 0, 16, 16), 50)
    navigator.mediaDevices.getUserMedia = async () => picture.captureStream(10)
    const codes = ['R', '', 'PUDO-20240042']
    Object.assign(globalThis, {
      BarcodeDetector: class {
        async detect() {
          return [{ rawValue: codes.shift() ?? '' }]
        }
      },
    })
  })
  await page.reload()
  await details.getByRole('button', { name: 'Scan a waybill' }).click()

  await expect(details.getByLabel('Tracking Number')).toHaveValue('PUDO-20240042')
  await expect(page.getByRole('dialog', { name: 'Scan a waybill' })).toHaveCount(0)
})

test('a courier gets a tracking URL in the settings, and once archived is not offered any more', async ({
  brother: { page },
  shop,
  staff,
}) => {
  const name = `Bakkie ${crypto.randomUUID().slice(0, 8)}`
  await staff.from('courier_companies').insert({ name })
  await page.goto('/admin/settings')
  const couriers = page.getByRole('list', { name: 'Couriers' })
  await couriers.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Edit ${name}` })
  await dialog.getByLabel('Tracking URL').fill('https://bakkie.example/track')
  await expect(dialog.getByText('Put {number} where the tracking number goes')).toBeVisible()
  await dialog.getByLabel('Tracking URL').fill('https://bakkie.example/track?ref={number}')
  await dialog.getByLabel('Courier Name').fill(`${name} Express`)
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(couriers).toContainText('https://bakkie.example/track?ref={number}')

  await couriers.getByRole('button', { name: `Archive ${name} Express` }).click()
  await expect(page.getByText('Courier archived')).toBeVisible()
  const order = await aPaidOrder(shop)
  await page.goto(`/admin/orders/${order.id}`)
  const courier = page.getByLabel('Courier Company')
  await expect(courier.getByRole('option', { name: 'Pudo' })).toHaveCount(1)
  await expect(courier.getByRole('option', { name: `${name} Express` })).toHaveCount(0)
})
