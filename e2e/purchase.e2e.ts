import { STICK_BAIT } from '#test/product-names.ts'
import { expectToFit } from './fixtures/audit.ts'
import { expect, test } from './fixtures/journey.ts'
import { PHONE_DEVICE } from './fixtures/phone.ts'

test.use({ ...PHONE_DEVICE, serviceWorkers: 'allow' })

// covers S1.4 S2.33 S2.36 S4.15 S6.1 S6 S24 S31 S36
test('a first visit ends with a paid order in the admin area', async ({ angler, adminPage, shop }) => {
  const { page } = angler
  const mailRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/functions/v1/send-order-')) mailRequests.push(request.url())
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Shop All Products' }).click()
  await expect(page.getByRole('heading', { name: 'Our Products' })).toBeVisible()

  await angler.putInCart({ lure: STICK_BAIT, colour: 'Blue Reaper' })
  await angler.goToCheckout()
  await expect(angler.placeOrderButton).toHaveText('Place Order – R600.00')
  await angler.placeOrder()
  const number = await angler.pay()
  // The page shows an e-mail address longer than its line.
  await expectToFit(page)

  const mail = await shop.mailbox.waitFor(
    ({ recipients, subject }) =>
      recipients.includes(angler.email) && Boolean(subject?.includes(number.slice(1))),
  )
  expect(mail.subject).toBe(`Order ${number.slice(1)} is confirmed`)
  expect(mail.text).toContain('Blue Reaper')
  // The database queues both mails with the payment.
  expect(mailRequests).toEqual([])

  await adminPage.goto('/admin/orders')
  const row = adminPage.getByRole('row').filter({ hasText: number })
  await expect(row).toContainText(angler.name)
  await expect(row).toContainText('R600.00')
  await expect(row).toContainText('Paid')
  await expect(row.getByRole('combobox')).toHaveValue('new')

  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Cart', exact: true })).toBeVisible()
})
