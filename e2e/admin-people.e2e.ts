import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import type { ShopClient } from '#database'
import { expectNoSeriousProblem } from './fixtures/audit.ts'
import { signUpCustomer, confirmMailbox } from './fixtures/customer.ts'
import { waitForHydration } from './fixtures/hydration.ts'
import { holdResponses } from './fixtures/hold-responses.ts'
import { goWithinAdmin } from './fixtures/go-within-admin.ts'
import { expect, test } from './fixtures/journey.ts'
import { expectNotDismissible } from './fixtures/not-dismissible.ts'
import { aPaidOrder } from './fixtures/order-over-api.ts'
import { queryDatabase } from './fixtures/shop-database.ts'
import type { OpenShop } from './shop.ts'

const unique = (word: string) => `${word} ${crypto.randomUUID().slice(0, 8)}`

async function aSubmission(staff: ShopClient, name: string): Promise<void> {
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  const { error } = await staff.from('gallery_submissions').insert({
    customer_name: name,
    email: 'lerato@example.com',
    description: 'On the deck at first light',
    image_url: picture,
    image_urls: [picture],
  })
  if (error) throw error
}

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8')
}

const photoOf = (page: Page, name: string) => page.getByRole('article', { name: `Photo from ${name}` })

interface Desk {
  page: Page
  shop: OpenShop
  staff: ShopClient
}

test('an admin tests promo codes, and views, merges and erases clients', async ({
  adminPage: page,
  shop,
  staff,
}) => {
  const desk = { page, shop, staff }
  // covers A26
  await test.step('an admin creates, tests and duplicates a promo code, and the form describes the effect', () =>
    editPromoCode(desk))
  // covers A28
  await test.step('an admin sees accounts with the same phone and merges accounts of one mailbox', () =>
    mergeAccounts(desk))
  // covers A28
  await test.step('a client’s page shows orders, spend, consent and notes, exports the data and erases the client', () =>
    eraseClient(desk))
})

test(
  'an admin reviews photos, and exports messages and subscribers',
  { tag: '@long' },
  async ({ adminPage: page, shop, staff }) => {
    const desk = { page, shop, staff }
    // covers A41 A42
    await test.step('an admin searches and exports messages and subscribers, and unsubscribes a subscriber', () =>
      exportLists(desk))
    // covers A29
    await test.step('an admin reviews photos by keyboard, and undoes reviews from the toast and the card', () =>
      reviewByKeys(desk))
    await test.step('a photo under review fills the screen of a phone, with the buttons at the bottom', () =>
      reviewOnPhone(desk))
  },
)

async function editPromoCode({ page, shop }: Desk): Promise<void> {
  const code = `DAWN-${crypto.randomUUID().slice(0, 6).toUpperCase()}`
  const { email } = await aPaidOrder(shop)
  await page.goto('/admin/promo-codes')
  await page.getByRole('button', { name: 'Add Promo Code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create Promo Code' })
  await dialog.getByLabel('Code', { exact: true }).fill(code)
  await dialog.getByLabel('Discount Value (%)').fill('5')
  await dialog.getByLabel('Minimum Order Amount (R)').fill('1500')
  await dialog.getByLabel('Limit per Customer').fill('1')
  await expect(
    dialog.getByText('5% off orders of R1500 or more, once per person', { exact: true }),
  ).toBeVisible()
  await dialog.getByRole('switch', { name: 'First Order Only' }).click()
  await expect(dialog.getByText('5% off a first order of R1500 or more, once per person')).toBeVisible()

  await dialog.getByLabel('Cart total (R)').fill('2000')
  await dialog.getByRole('button', { name: 'Test the code' }).click()
  await expect(dialog.getByText('The code works for this cart.')).toBeVisible()
  await expect(dialog.getByText('R1 900.00')).toBeVisible()
  await expectNoSeriousProblem(page)
  await dialog.getByLabel('Customer e-mail').fill(email)
  await dialog.getByRole('button', { name: 'Test the code' }).click()
  await expect(dialog.getByText('This promo code is for a first order only')).toBeVisible()

  await dialog.getByLabel('Start Date').fill('2030-02-01T08:00')
  await dialog.getByLabel('Expiry Date').fill('2030-01-01T08:00')
  await dialog.getByRole('button', { name: 'Create Promo Code' }).click()
  await expect(dialog.getByText('The code would expire before it starts.')).toBeVisible()
  await dialog.getByLabel('Expiry Date').fill('')
  await dialog.getByRole('button', { name: 'Create Promo Code' }).click()
  await expect(page.getByText('Promo code created')).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('Scheduled')

  await row.getByRole('button', { name: `Duplicate ${code}` }).click()
  await dialog.getByRole('button', { name: 'Create Promo Code' }).click()
  await expect(page.getByRole('row').filter({ hasText: `${code}-COPY` })).toContainText('Nothing yet')
}

async function eraseClient({ page, shop }: Desk): Promise<void> {
  const order = await aPaidOrder(shop)
  await goWithinAdmin(page, `/admin/clients?search=${order.email}`)
  await page.getByRole('link', { name: 'Sipho Dlamini' }).click()
  await expect(page.getByRole('heading', { name: 'Sipho Dlamini' })).toBeVisible()
  await expect(page.getByText('R600.00').first()).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: order.number })).toContainText('Paid')
  await page.getByLabel('New note').fill('Fishes at Mbotyi')
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('region', { name: 'Internal notes' })).toContainText('Fishes at Mbotyi')
  await expectNoSeriousProblem(page)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export data' }).click()
  const data: unknown = JSON.parse(await textOf(await saved))
  expect(data).toMatchObject({ account: { email: order.email }, orders: [{ status: 'new' }] })

  await page.getByRole('button', { name: 'Erase' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase client' }).click()
  await expect(page).toHaveURL(`${shop.url}/admin/clients`)
  await expect(page.getByRole('table', { name: /^Clients/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Nothing found')).toBeVisible()
  await shop.mailbox.waitFor(
    ({ recipients, subject }) => recipients.includes(order.email) && subject?.endsWith('is closed') === true,
  )
}

async function mergeAccounts({ page, shop }: Desk): Promise<void> {
  const phone = `+2782${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`
  const [kept, other, never] = [
    await signUpCustomer(shop),
    await signUpCustomer(shop),
    await signUpCustomer(shop),
  ]
  await queryDatabase(shop, 'update public.profiles set phone = $1 where id = any ($2)', [
    phone,
    [kept.userId, other.userId, never.userId],
  ])
  await queryDatabase(shop, 'update auth.users set last_sign_in_at = null where id = $1', [never.userId])
  await confirmMailbox(shop, kept)
  await goWithinAdmin(page, `/admin/clients/${kept.userId}`)
  const duplicates = page.getByRole('region', { name: 'Possible duplicates' })
  await expect(duplicates).toContainText('Both accounts have been used to sign in')

  await duplicates.getByRole('button', { name: 'Merge into this account' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click()

  await expect(page.getByText('Accounts merged')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Internal notes' })).toContainText(
    `Merged with ${never.email}`,
  )
  await expect(duplicates.getByRole('listitem')).toHaveCount(1)
  await page.goto(`/admin/clients/${never.userId}`)
  await expect(page.getByRole('heading', { name: 'Client not found' })).toBeVisible()
}

async function reviewByKeys({ page, staff }: Desk): Promise<void> {
  const [first, second] = [unique('Zanele'), unique('Lerato')]
  await aSubmission(staff, second)
  await aSubmission(staff, first)
  await page.goto('/admin/gallery')
  // Until its address has loaded, the key does nothing.
  await expect(photoOf(page, first).getByRole('button', { name: 'Approve' })).toBeEnabled()
  await waitForHydration(page)

  await photoOf(page, first).focus()
  await page.keyboard.down('a')
  await expect(page.getByText('Photo approved successfully.')).toBeVisible()
  await expect(photoOf(page, second)).toBeFocused()
  // The key is still held, so that this is a repetition.
  await page.keyboard.down('a')
  await page.keyboard.up('a')
  await expect(photoOf(page, second).getByRole('button', { name: 'Approve' })).toBeEnabled()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(photoOf(page, first).getByRole('button', { name: 'Approve' })).toBeVisible()

  await photoOf(page, second).focus()
  await page.keyboard.press('k')
  await expect(photoOf(page, first)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  const decline = page.getByRole('dialog', { name: `Decline the photo from ${second}` })
  await decline.getByLabel('Reason').fill('No lure in sight')
  await expectNoSeriousProblem(page)
  const releaseReview = await holdResponses(page, '**/rpc/review_photo')
  await decline.getByRole('button', { name: 'Decline' }).click()
  await expectNotDismissible(decline)
  await releaseReview()
  await expect(photoOf(page, second)).toContainText('No lure in sight')
  await photoOf(page, second).getByRole('button', { name: 'Undo' }).click()
  await expect(photoOf(page, second)).toContainText('Pending')

  await photoOf(page, first).focus()
  await page.keyboard.press('e')
  const edit = page.getByRole('dialog', { name: 'Edit Submission' })
  await edit.getByLabel('Lure').selectOption('Chisel Nose Popper 150mm/30G')
  await edit.getByLabel('Colour').selectOption('Redhead 150mm')
  await edit.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByText('Submission updated successfully.')).toBeVisible()
  // An open dialog keeps the focus and the shortcuts.
  await expect(edit).toHaveCount(0)
  await expect(photoOf(page, first)).toContainText('Redhead 150mm')

  await photoOf(page, first).focus()
  await page.keyboard.press('e')
  const releaseApproval = await holdResponses(page, '**/rpc/review_photo')
  await edit.getByRole('button', { name: 'Approve' }).click()
  // Its end would close the dialog of another photo.
  await expectNotDismissible(edit)
  await releaseApproval()
  await expect(edit).toHaveCount(0)
  await expect(photoOf(page, first)).toContainText('Approved')

  await photoOf(page, first).focus()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/admin$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function reviewOnPhone({ page, staff }: Desk): Promise<void> {
  const name = unique('Thandi')
  await aSubmission(staff, name)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto('/admin/gallery?status=pending')
  const card = photoOf(page, name)
  await expect.poll(async () => (await card.getByRole('img').boundingBox())?.width).toBeGreaterThan(280)
  await card.getByRole('button', { name: 'Approve' }).click()
  await expect(card).toHaveCount(0)
}

async function exportLists({ page, staff }: Desk): Promise<void> {
  const [subject, email] = [unique('Hooks for shad'), `shad-${crypto.randomUUID()}@example.com`]
  await staff
    .from('contact_submissions')
    .insert({ name: 'Lerato', email, subject, message: 'Which size do you fit?' })
  await staff.from('newsletter_signups').insert({ email })
  await page.goto('/admin/messages')
  await page.getByRole('searchbox', { name: 'Search messages' }).fill(subject)
  await expect(page.getByRole('article')).toHaveCount(1)
  const messages = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await textOf(await messages)).split('\r\n')).toHaveLength(3)

  await page.goto(`/admin/subscribers?search=${email}`)
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Not asked')
  await row.getByRole('button', { name: `Unsubscribe ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(row).toContainText('Unsubscribed')
  const subscribers = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect(await textOf(await subscribers)).not.toContain(email)
}
