import type { ShopClient } from '#database'
import type { Page } from '@playwright/test'
import { expectInMail } from './fixtures/framed-mail.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { expect, test } from './fixtures/journey.ts'
import { aPaidOrder, type ApiOrder } from './fixtures/order-over-api.ts'
import { pasteText } from './fixtures/paste-text.ts'

/** Random letters, so that the courier guess matches only this parcel's prefix. */
function someLetters(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) =>
    String.fromCharCode(65 + (byte % 26)),
  ).join('')
}

/** Ships an earlier order with The Courier Guy, so that its numbers become known. */
async function shippedBefore(staff: ShopClient, order: ApiOrder, trackingNumber: string): Promise<void> {
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

/** Replaces the phone's camera by a blank picture, and its barcode reader by one that detects a number at the third attempt. */
async function canReadBarcodes(page: Page): Promise<void> {
  await page.evaluate(() => {
    const picture = document.createElement('canvas')
    setInterval(() => picture.getContext('2d')?.fillRect(0, 0, 16, 16), 50)
    MediaDevices.prototype.getUserMedia = async () => picture.captureStream(10)
    const codes = ['R', '', 'PUDO-20240042']
    Object.assign(globalThis, {
      BarcodeDetector: class {
        async detect() {
          return [{ rawValue: codes.shift() ?? '' }]
        }
      },
    })
  })
}

test(
  'an admin ships an order with a scanned or pasted waybill, and unsaved notes stay',
  { tag: '@long' },
  async ({ adminPage: page, shop, staff }) => {
    const letters = someLetters()
    const name = `Bakkie ${crypto.randomUUID().slice(0, 8)}`
    const [earlier, order] = await Promise.all([aPaidOrder(shop), aPaidOrder(shop)])
    await shippedBefore(staff, earlier, `${letters}10000001`)
    const warnings: string[] = []
    page.on('console', (message) => warnings.push(message.text()))
    const details = page.getByRole('dialog', { name: 'Order Details' })
    const trackingNumber = details.getByLabel('Tracking Number')
    const note = details.getByLabel('New note')
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    const keepEditing = async () => {
      await question.getByRole('button', { name: 'Keep editing' }).click()
      // Esc would close the question instead of the dialog below it.
      await expect(question).toBeHidden()
    }
    const open = async () => {
      await page.getByRole('row').filter({ hasText: order.number }).getByRole('link').first().click()
      await expect(trackingNumber).toBeVisible()
    }
    await page.goto('/admin/settings')

    await test.step('an admin adds a courier in a form that asks before it loses what was typed', async () => {
      await page.getByRole('button', { name: 'Add a courier' }).click()
      const dialog = page.getByRole('dialog', { name: 'Add a courier' })
      await dialog.getByLabel('Courier Name').fill(name)
      await page.keyboard.press('Escape')
      await keepEditing()
      await page.keyboard.press('Control+s')
      await expect(page.getByText('Courier company added')).toBeVisible()
    })

    await test.step('an admin gives a courier a tracking URL and archives the courier', async () => {
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
    })

    await test.step('the shipping form offers no archived couriers, and no scanning without a barcode reader', async () => {
      await page.getByRole('link', { name: 'Orders', exact: true }).click()
      await open()
      const courier = details.getByLabel('Courier Company')
      await expect(courier.getByRole('option', { name: 'Pudo' })).toHaveCount(1)
      await expect(courier.getByRole('option', { name: `${name} Express` })).toHaveCount(0)
      await expect(details.getByRole('button', { name: 'Scan waybill' })).toHaveCount(0)
    })

    // covers A32
    await test.step('Back from an unchanged form above an order keeps the order’s typed note', async () => {
      await note.fill('Ring before the courier comes')
      await details.getByRole('button', { name: 'Change address' }).click()
      await expect(page.getByRole('dialog', { name: 'Change address' })).toBeVisible()
      await page.goBack()
      await expect(question).toBeVisible()
      await keepEditing()
      await expect(page).toHaveURL(new RegExp(`/admin/orders/${order.id}`))
      await expect(note).toHaveValue('Ring before the courier comes')
      expect(warnings.filter((text) => text.includes('only supports one blocker'))).toEqual([])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Change address' })).toHaveCount(0)
    })

    await test.step('an order with a typed note asks for confirmation and stays open even if the browser closes its dialog', async () => {
      // What browsers do, without a cancelable event, when Esc is pressed twice without a click between.
      await details.evaluate((dialog: HTMLDialogElement) => dialog.close())
      await keepEditing()
      await expect(details).toBeVisible()
      await expect(note).toHaveValue('Ring before the courier comes')
    })

    await test.step('closing an order asks for confirmation only if a typed note is not saved', async () => {
      await page.keyboard.press('Escape')
      await keepEditing()
      const release = await holdResponses(page, '**/rest/v1/order_notes*')
      await details.getByRole('button', { name: 'Add note' }).click()
      await page.keyboard.press('Escape')
      await release()
      await expect(details).toHaveCount(0)
    })

    // covers A35
    await test.step('an admin scans a waybill if the browser can read barcodes', async () => {
      await canReadBarcodes(page)
      await open()
      await details.getByRole('button', { name: 'Scan waybill' }).click()
      await expect(trackingNumber).toHaveValue('PUDO-20240042')
      await expect(page.getByRole('dialog', { name: 'Scan waybill' })).toHaveCount(0)
    })

    const waybill = `${letters}10000002`

    // covers A13
    await test.step('a pasted courier message fills in the tracking number and the courier', async () => {
      await page.evaluate(
        () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
      )
      await pasteText(page, `Your parcel is booked. Waybill: ${waybill}. Thank you!`)
      await expect(trackingNumber).toHaveValue(waybill)
      await expect(details.getByLabel('Courier Company')).toHaveValue(/.+/)
      await expect(details.getByText('Guessed from your earlier waybills')).toBeVisible()

      await details.getByRole('button', { name: 'Preview e-mail' }).click()
      const mail = page.getByRole('dialog', { name: `Order ${order.number.slice(1)}: Shipped` })
      await expect(mail).toContainText('Not sent yet.')
      await expectInMail(mail, { texts: [waybill, 'with The Courier Guy'], link: 'Track your parcel' })
      await mail.getByRole('button', { name: 'Ship and send' }).click()

      await expect(page.getByText('Tracking number updated and order marked as shipped')).toBeVisible()
      await expect(mail).toHaveCount(0)
      const sent = await shop.mailbox.waitFor(({ text }) => Boolean(text?.includes(waybill)))
      expect(sent.subject).toBe(`Order ${order.number.slice(1)}: Shipped`)
    })

    // covers A15
    await test.step('an admin cannot change a shipped order’s address, but can enter a new tracking number', async () => {
      await expect(details.getByRole('button', { name: 'Change address' })).toHaveCount(0)
      const replacement = `${letters}10000003`
      await expect(
        details.getByText('Parcel lost? Send another and enter its tracking number here'),
      ).toBeVisible()
      await trackingNumber.fill(replacement)
      await details.getByRole('button', { name: 'Update Tracking & Ship Order' }).click()
      await shop.mailbox.waitFor(({ text }) => Boolean(text?.includes(replacement)))
      await expect(details.getByRole('link', { name: 'Track parcel' })).toHaveAttribute(
        'href',
        new RegExp(`${replacement}$`),
      )
      await details.getByRole('button', { name: 'Close' }).click()
      await expect(details).toHaveCount(0)
    })
  },
)

// covers A32
test('text typed into a photo review or a stock count is not lost by mistake', async ({
  adminPage: page,
  staff,
}) => {
  const name = `Lerato ${crypto.randomUUID().slice(0, 8)}`
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  await staff.from('gallery_submissions').insert({
    customer_name: name,
    description: 'On the deck at first light',
    image_url: picture,
    image_urls: [picture],
    status: 'pending',
  })
  const { data: product } = await staff.from('products').select('id').eq('status', 'live').limit(1).single()
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })

  await test.step('a typed review reason stays when Escape is pressed', async () => {
    await page.goto('/admin/gallery')
    await page.getByRole('article').filter({ hasText: name }).getByRole('button', { name: 'Decline' }).click()
    const decline = page.getByRole('dialog', { name: `Decline the photo from ${name}` })
    await decline.getByLabel('Reason').fill('Too dark')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(decline.getByLabel('Reason')).toHaveValue('Too dark')
    await decline.getByRole('button', { name: 'Cancel' }).click()
    await expect(decline).toHaveCount(0)
  })

  await test.step('the focus returns to the button whose form is discarded', async () => {
    await page.goto('/admin/settings')
    const opener = page.getByRole('button', { name: 'Add a courier' })
    await opener.click()
    await page.getByLabel('Courier Name').fill('Kite Couriers')
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(question).toHaveCount(0)
    await expect(opener).toBeFocused()
  })

  await test.step('an unsaved stock count asks for confirmation before the admin leaves the page', async () => {
    await page.goto(`/admin/products/${product?.id}/stock`)
    await page.getByRole('button', { name: 'Count' }).first().click()
    await page.getByLabel('Note (optional)').fill('Counted twice')
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL(/\/admin\/orders$/)
  })
})
