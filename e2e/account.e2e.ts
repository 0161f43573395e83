import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { placed, placeOrder } from '#test/storefront-calls/shopping.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { type Angler, PASSWORD } from './fixtures/angler.ts'
import { aCustomer } from './fixtures/customer.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { expect, test } from './fixtures/journey.ts'
import { followMailLink } from './fixtures/mail-link.ts'
import { askDatabase } from './fixtures/shop-database.ts'

/** Opens a page of the account, by way of the sign-in that it asks for. */
async function open(angler: Angler, path: string, email: string): Promise<void> {
  await angler.page.goto(path)
  await expect(angler.page).toHaveURL(`/auth?redirect=${encodeURIComponent(path)}`)
  await angler.signIn({ email, password: PASSWORD })
  await expect(angler.page).toHaveURL(path)
}

const orderRow = (page: Page, number: string) => page.getByRole('listitem').filter({ hasText: number })

test('an unpaid order waits in the account and is paid from there', async ({ angler, shop }) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  const order = await placeOrder(customer)
  const number = `Order #${orderNumberText(order.order_number)}`

  await open(angler, '/account', customer.email)
  await expect(orderRow(page, number)).toContainText('Awaiting payment')
  await page.getByRole('link', { name: number }).click()
  await expect(page.getByText('This order is not paid yet.')).toBeVisible()
  await page.getByRole('button', { name: 'Pay R600.00' }).click()
  await expect(page.getByRole('heading', { name: /^Pay R/ })).toBeVisible()
  await angler.pay()

  await page.goto(`/account/orders/${order.id}`)
  const steps = page.getByRole('region', { name: 'Order progress' }).getByRole('listitem')
  await expect(steps).toContainText(['Ordered', 'Paid', 'Still to come: On the bench'])
  await expect(page.getByRole('button', { name: 'Print receipt' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeHidden()
})

test('an unpaid order is cancelled in the account', async ({ angler, shop }) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  const order = await placeOrder(customer)

  await open(angler, `/account/orders/${order.id}`, customer.email)
  await page.getByRole('button', { name: 'Cancel order' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel order' }).click()

  await expect(page.getByText('Cancelled by you')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeHidden()
})

test('a shipped order tells its courier and leads to the parcel; a stranger finds nothing there', async ({
  angler,
  shop,
  staff,
}) => {
  const { page } = angler
  const order = await aPaidOrder(shop)
  const courier = await staff.from('courier_companies').select('id').eq('name', 'The Courier Guy').single()
  const shipped = await staff
    .from('orders')
    .update({ status: 'shipped', tracking_number: 'TCG 42', courier_company_id: courier.data?.id })
    .eq('id', order.id)
  expect(shipped.error).toBeNull()

  await open(angler, `/account/orders/${order.id}`, order.email)
  await expect(page.getByRole('link', { name: 'Follow the parcel' })).toHaveAttribute(
    'href',
    'https://portal.thecourierguy.co.za/track?ref=TCG%2042',
  )
  await expect(page.getByText('within 7 days of receiving')).toBeVisible()

  await angler.signOut()
  await open(angler, `/account/orders/${order.id}`, (await aCustomer(shop)).email)
  await expect(page.getByRole('heading', { name: 'Order not found' })).toBeVisible()
})

test('many orders are on several pages, and a list that does not load is asked for again', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  await placeOrder(customer)
  for (let again = 1; again <= 10; again += 1) {
    // There is one waiting order at a time, and the cart is still as it was.
    // oxlint-disable-next-line no-await-in-loop
    await customer.client.from('orders').update({ status: 'cancelled' }).eq('status', 'pending_payment')
    // oxlint-disable-next-line no-await-in-loop
    await placed(customer.client, 600)
  }

  await open(angler, '/account', customer.email)
  await expect(page.getByRole('heading', { name: /^Order #/ })).toHaveCount(10)
  await page.getByRole('link', { name: 'Older' }).click()
  await expect(page.getByRole('heading', { name: /^Order #/ })).toHaveCount(1)

  await page.route('**/rest/v1/orders*', (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Your orders could not be loaded.')).toBeVisible()
  await page.unroute('**/rest/v1/orders*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
})

test('details are judged, kept through a failed save, and fill the checkout', async ({ angler, shop }) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  await open(angler, '/account/details', customer.email)
  await page.getByLabel('Phone').fill('082')
  await page.getByLabel('Street Address').fill('12 Beach Road')
  await page.getByRole('button', { name: 'Save my details' }).click()
  await expect(page.getByText('Phone number must be at least 10 digits')).toBeVisible()

  await page.getByLabel('Phone').fill('082 555 0148')
  await page.route('**/rest/v1/profiles*', (route) => route.abort())
  await page.getByRole('button', { name: 'Save my details' }).click()
  await expect(page.getByText('What you typed is still here')).toBeVisible()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await page.unroute('**/rest/v1/profiles*')
  await page.getByRole('button', { name: 'Save my details' }).click()
  await expect(page.getByText('The checkout will start with these details.')).toBeVisible()

  await angler.choose({ lure: 'Chisel Nose Popper 150mm/30G', colour: 'Redhead 150mm' })
  const cart = await angler.openCart()
  await cart.getByRole('link', { name: 'Proceed to Checkout' }).click()
  await expect(page.getByLabel('Street Address')).toHaveValue('12 Beach Road')
  await expect(page.getByLabel('Phone')).toHaveValue('082 555 0148')
})

test('consent to news is given and withdrawn, each with its words', async ({ angler, shop }) => {
  const { page } = angler
  const customer = await aCustomer(shop)
  await askDatabase(
    shop,
    `insert into auth.mailbox_proofs (user_id, email, method) select id, email, 'confirmation' from auth.users where email = $1`,
    [customer.email],
  )
  await open(angler, '/account/data', customer.email)
  const news = page.getByRole('switch', {
    name: 'Yes, e-mail me news and offers. I can unsubscribe at any time.',
  })

  await news.click()
  await expect(news).toBeChecked()
  await news.click()
  await expect(page.getByText('You have said no')).toBeVisible()

  const { data } = await customer.client.from('marketing_consents').select('is_given, wording').order('id')
  expect(data).toEqual([
    { is_given: true, wording: 'Yes, e-mail me news and offers. I can unsubscribe at any time.' },
    { is_given: false, wording: 'Stop sending me news and offers.' },
  ])
})

test('a customer confirms the e-mail address in the account, and is told when a rate limit delays the mail', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { email } = await aCustomer(shop)
  await open(angler, '/account/security', email)
  const section = page.getByRole('region', { name: 'E-mail' })

  await section.getByRole('button', { name: 'Confirm my e-mail' }).click()
  await expect(section.getByText(`We’ve e-mailed a link to ${email}.`)).toContainText('spam')
  await expect(section.getByRole('button', { name: 'Send it again' })).toBeDisabled()
  await page.reload()
  await section.getByRole('button', { name: 'Confirm my e-mail' }).click()
  await expect(section.getByText(/or ask again at \d\d:\d\d\./)).toBeVisible()

  await followMailLink(page, shop.mailbox, { to: email, subject: /confirm/i })
  await expect(page).toHaveURL(/\/account\/security/)
  await expect(section.getByText('Your e-mail is confirmed.')).toBeVisible()
  await expect(section.getByRole('button', { name: /Confirm|Send/ })).toBeHidden()
})

test('consent of an account that has not confirmed its e-mail waits for a mailed link', async ({
  angler,
  shop,
}) => {
  const { page } = angler
  const { email } = await aCustomer(shop)
  await open(angler, '/account/data', email)

  await page
    .getByRole('switch', { name: 'Yes, e-mail me news and offers. I can unsubscribe at any time.' })
    .click()
  await expect(page.getByText('We’ve mailed you a link.')).toBeVisible()
  const mail = await shop.mailbox.waitFor(({ recipients }) => recipients.includes(email))
  await page.goto(/https?:\/\/\S+\/mail\/confirm\/[0-9a-f]+/.exec(mail.text ?? '')?.[0] ?? '')
  await page.getByRole('button', { name: 'Confirm' }).click()

  await page.goto('/account/data')
  await expect(page.getByText('You agreed')).toBeVisible()
})

test('all data of an account comes as one file, and the account goes for good', async ({ angler, shop }) => {
  const { page } = angler
  const order = await aPaidOrder(shop)
  await open(angler, '/account/data', order.email)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export my data' }).click(),
  ])
  const data = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(data).toMatchObject({ account: { email: order.email }, orders: [{ id: order.id, status: 'new' }] })

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type DELETE').fill('DELETE')
  await dialog.getByLabel('Password').fill('not my password')
  await dialog.getByRole('button', { name: 'Delete my account for good' }).click()
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Delete my account for good' }).click()
  await expect(page.getByText('Your account is deleted')).toBeVisible()
  await expect(page).toHaveURL('/')

  await page.goto('/auth')
  await page.getByRole('tabpanel', { name: 'Login' }).getByLabel('E-mail', { exact: true }).fill(order.email)
  await page.getByRole('tabpanel', { name: 'Login' }).getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('Login failed')).toBeVisible()
  const goodbye = await shop.mailbox.waitFor(
    ({ recipients, subject }) => recipients.includes(order.email) && subject?.includes('closed') === true,
  )
  expect(goodbye.text).toContain('five years')
})
