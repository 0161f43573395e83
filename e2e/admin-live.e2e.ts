import type { Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopClient, Tables } from '#database'
import { expect, test } from './fixtures/journey.ts'
import { intercept } from './fixtures/intercept.ts'
import { openLive } from './fixtures/live.ts'
import { aPaidOrder, type ApiOrder } from './fixtures/order-over-api.ts'
import type { OpenShop } from './shop.ts'

test('a paid order and a message appear without a reload, with a toast and a sound, after a lost download', async ({
  adminPage: page,
  shop,
}) => {
  await page.addInitScript(() => {
    window.AudioContext = class extends AudioContext {
      constructor() {
        super()
        document.documentElement.dataset['rang'] = 'yes'
      }
    }
  })
  await page.goto('/admin/settings')
  const sound = page.getByRole('switch', { name: 'Play a sound for new orders and messages' })
  await sound.click()
  await expect(sound).toBeChecked()

  const orders = page.getByRole('region', { name: 'Orders', exact: true })
  await test.step('a paid order appears in the open list, with a toast and a sound, and so does one from just before', async () => {
    const early = Promise.withResolvers<ApiOrder>()
    const failed = await failFirstLiveClient(page, async () => {
      await expect(orders.and(page.locator(':not([aria-busy=true])'))).toBeVisible()
      early.resolve(await aPaidOrder(shop))
    })
    await openLive(page, '/admin/orders')
    expect(failed).toHaveLength(1)
    const missed = await early.promise
    await expect(page.getByRole('row').filter({ hasText: missed.number })).toBeVisible()
    const { number } = await aPaidOrder(shop)
    await expect(page.getByText('New paid order')).toBeVisible()
    await expect(page.getByRole('row').filter({ hasText: number })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-rang', 'yes')
  })

  const subject = `Which lure for garrick ${crypto.randomUUID().slice(0, 8)}`
  const card = page.getByRole('article', { name: subject })
  const answer = page.getByRole('dialog', { name: 'Answer Lerato' })

  await test.step('a new message appears in the open list, with a toast', async () => {
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page
      .getByRole('link', { name: /^Messages/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'Messages', exact: true })).toBeVisible()
    const { publishable } = await shop.keys()
    const message = {
      name: 'Lerato',
      email: 'lerato@example.com',
      subject,
      message: 'From the rocks, mostly at dawn.',
    }
    await createClient(shop.url, publishable).from('contact_submissions').insert(message)
    await expect(page.getByText(`Lerato: ${subject}`)).toBeVisible()
    await expect(card).toContainText('From the rocks, mostly at dawn.')
  })

  // covers A41
  await test.step('a reply quotes the question, marks the message as answered and is visible to other admins', async () => {
    await card.getByRole('button', { name: 'Answer' }).click()
    await expect(answer.getByRole('region', { name: 'Question' })).toContainText('mostly at dawn')
    await expect(answer.getByLabel('Subject')).toHaveValue(`Re: ${subject}`)
    await answer.getByLabel('Message').fill('The popper, early.')
    await expect(answer.getByText('The e-mail starts with “Hi Lerato,”')).toBeVisible()
    await page.setViewportSize({ width: 390, height: 844 })
    await answer.getByRole('button', { name: 'Preview' }).click()
    await expect(answer.locator('iframe')).toBeInViewport({ ratio: 0.5 })
    await answer.getByRole('button', { name: 'Plain text' }).click()
    await expect(answer.getByRole('region', { name: 'Preview' })).toContainText('Hi Lerato,')
    await answer.getByRole('button', { name: 'Send Email' }).click()
    const mail = await shop.mailbox.waitFor((received) => received.subject === `Re: ${subject}`)
    expect(mail.text).toContain('From the rocks, mostly at dawn.')

    await expect(card).toHaveCount(0)
    await page.goto('/admin/messages?show=done')
    await expect(card).toContainText('The popper, early.')
    await expect(card).toContainText('Answered by')
    await card.getByRole('button', { name: 'Answer again' }).click()
    await expect(answer.getByRole('alert')).toContainText('already marked as done')
  })
})

test('a dialog overrules no colleague who changes its order or photo meanwhile, and keeps what was typed', async ({
  adminPage: page,
  shop,
  staff,
}) => {
  const name = `Zanele ${crypto.randomUUID().slice(0, 8)}`
  const [shipped, typed, photoId] = await Promise.all([
    anOrderInProcessing({ shop, staff }),
    anOrderInProcessing({ shop, staff }),
    aPhotoFrom(staff, name),
  ])
  await openLive(page, '/admin/gallery')

  await test.step('a photo that a colleague approves while its dialog is open is not declined', async () => {
    const photo = page.getByRole('article', { name: `Photo from ${name}` })
    await photo.getByRole('button', { name: 'Decline' }).click()
    const dialog = page.getByRole('dialog', { name: `Decline the photo from ${name}` })
    await staff.from('gallery_submissions').update({ status: 'approved' }).eq('id', photoId).throwOnError()
    await expect(photo.getByText('Approved', { exact: true })).toBeAttached()

    await dialog.getByRole('button', { name: 'Decline' }).click()

    await expect(page.getByText('Someone else has reviewed this photo in the meantime.')).toBeVisible()
    const { data } = await staff.from('gallery_submissions').select('status').eq('id', photoId).single()
    expect(data).toEqual({ status: 'approved' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('an order that a colleague ships while its cancellation is confirmed stays shipped', async () => {
    await page.getByRole('link', { name: 'Orders', exact: true }).click()
    await page.getByRole('row').filter({ hasText: shipped.number }).getByRole('link').first().click()
    const details = page.getByRole('dialog', { name: 'Order Details' })
    await details.getByRole('button', { name: 'Cancel order' }).click()
    const dialog = page.getByRole('dialog', { name: `Cancel order ${shipped.number}` })
    await expect(dialog.getByRole('button', { name: 'Cancel order' })).toBeEnabled()
    await changeOrderAs(staff, shipped, { status: 'shipped' })
    await expect(details).toContainText('Mark as delivered')

    await dialog.getByRole('button', { name: 'Cancel order' }).click()

    await expect(page.getByText('Someone has changed this order in the meantime.')).toBeVisible()
    expect(await orderNow(staff, shipped)).toMatchObject({ status: 'shipped' })
    await dialog.getByRole('button', { name: 'Keep order' }).click()
    await details.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('a tracking number that is being typed stays when its order leaves the list, and replaces no other', async () => {
    await page.getByRole('link', { name: /^To ship/ }).click()
    await page.getByLabel(`Status of order ${typed.number}`).selectOption('shipped')
    const dialog = page.getByRole('dialog', { name: `Ship order ${typed.number}` })
    await dialog.getByLabel('Tracking Number').fill('TCG111')
    await dialog.getByLabel('Courier Company').selectOption('The Courier Guy')
    await changeOrderAs(staff, typed, { status: 'shipped', tracking_number: 'TCG222' })
    await expect(page.getByLabel(`Status of order ${typed.number}`)).toHaveCount(0)
    await expect(dialog.getByLabel('Tracking Number')).toHaveValue('TCG111')
    const answer = page.waitForResponse((response) => response.request().method() === 'PATCH')

    await dialog.getByRole('button', { name: 'Mark as Shipped' }).click()

    await answer
    expect(await orderNow(staff, typed)).toMatchObject({ tracking_number: 'TCG222' })
    await expect(dialog).toBeVisible()
  })
})

async function anOrderInProcessing({
  shop,
  staff,
}: {
  shop: OpenShop
  staff: ShopClient
}): Promise<ApiOrder> {
  const order = await aPaidOrder(shop)
  await changeOrderAs(staff, order, { status: 'processing' })
  return order
}

async function changeOrderAs(
  colleague: ShopClient,
  { id }: ApiOrder,
  change: Partial<Pick<Tables<'orders'>, 'status' | 'tracking_number'>>,
): Promise<void> {
  await colleague.from('orders').update(change).eq('id', id).throwOnError()
}

async function orderNow(staff: ShopClient, { id }: ApiOrder) {
  const { data } = await staff.from('orders').select('status, tracking_number').eq('id', id).single()
  return data
}

async function aPhotoFrom(staff: ShopClient, customer_name: string): Promise<string> {
  const image_url = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  const { data } = await staff
    .from('gallery_submissions')
    .insert({ customer_name, description: 'On the deck', image_url, image_urls: [image_url] })
    .select('id')
    .single()
    .throwOnError()
  return data.id
}

/** Fails the first download of the client for live updates, and calls `meanwhile`; returns the addresses that failed. */
async function failFirstLiveClient(page: Page, meanwhile: () => Promise<void>): Promise<string[]> {
  const failed: string[] = []
  await intercept(page, '**/assets/dist-*.js', async (route) => {
    const response = await route.fetch()
    const isLiveClient = (await response.text()).includes('postgres_changes')
    if (!isLiveClient || failed.length > 0) return route.fulfill({ response })
    failed.push(route.request().url())
    await meanwhile()
    return route.abort()
  })
  return failed
}
