import type { Email } from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { aBuyer, placeOrder } from '#test/buyer.ts'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
let room: TestMailServer

beforeAll(async () => {
  room = await startMailServer()
  shop = await openShop({ smtpUrl: room.url, publicUrl: 'https://shop.example' })
})
afterAll(async () => {
  await shop.close()
  await room.close()
})

describe('stock alerts', () => {
  // covers S8
  it('sends one stock alert when a colour is back in stock, not before', async () => {
    const variant = await aSoldOutVariant()
    const email = anAddress()
    expect(await requestAlert(variant, email)).toEqual({ outcome: 'noted' })
    expect(await mailsTo(email)).toEqual([])

    await setStock(variant, 2)
    const [mail, ...more] = await mailsTo(email)
    await setStock(variant, 0)
    await setStock(variant, 3)

    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/ is back: /)
    for (const part of [mail?.html, mail?.text]) expect(part).toContain('https://shop.example/products/')
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('sends the stock alert when the sold-out lure becomes made to order, and promises no stock', async () => {
    const variant = await aSoldOutVariant()
    const email = anAddress()
    await requestAlert(variant, email)

    await shop.database.owner.query(
      `update public.products set made_to_order = true
       where id = (select v.product_id from public.product_variants v where v.id = $1)`,
      [variant],
    )

    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(mail?.subject).toMatch(/ can be ordered again: /)
    for (const part of [mail?.html, mail?.text]) {
      expect(part).toContain('We make it to order')
      expect(part).not.toMatch(/shelf|is back/)
    }
  })

  it('stores one stock alert per address in any capitalisation and always returns the same response', async () => {
    const variant = await aSoldOutVariant()
    const email = anAddress()
    const customer = await shop.signUp()

    const answers = await Promise.all([
      requestAlert(variant, email),
      requestAlert(variant, ` ${email.toUpperCase()} `),
      requestAlert(variant, customer.email),
      requestAlert(variant, email, customer.client),
    ])

    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"outcome":"noted"}']))
    await setStock(variant, 1)
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('stores the wording of the consent with a stock alert', async () => {
    const variant = await aSoldOutVariant()
    const email = anAddress()
    await requestAlert(variant, email)

    const { rows } = await shop.database.owner.query(
      'select wording, mailed_at from public.stock_alerts where email = $1',
      [email],
    )
    expect(rows).toEqual([{ wording: 'E-mail me once when it is back in stock.', mailed_at: null }])
  })

  it('sends the stock alert when a reservation expires', async () => {
    await shop.database.owner.query('update public.product_variants set stock_quantity = 1')
    const order = await placeOrder(shop.database, await aBuyer(shop.database))
    const variant = await variantOf(order.id)
    const email = anAddress()
    expect(await requestAlert(variant, email)).toEqual({ outcome: 'noted' })
    expect(await mailsTo(email)).toEqual([])

    await shop.database.owner.query(
      'update public.stock_reservations set expires_at = now() where order_id = $1',
      [order.id],
    )

    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('stores no stock alert for a colour in stock', async () => {
    const variant = await aSoldOutVariant()
    await setStock(variant, 4)
    const email = anAddress()

    expect(await requestAlert(variant, email)).toEqual({ outcome: 'available' })
    expect(await mailsTo(email)).toEqual([])
  })

  it('rejects stock alerts for unknown colours and malformed addresses', async () => {
    const { error: unknown } = await shop
      .client()
      .rpc('request_stock_alert', { variant: crypto.randomUUID(), email: anAddress() })
    const { error: malformed } = await shop
      .client()
      .rpc('request_stock_alert', { variant: await aSoldOutVariant(), email: 'a@b\r\nBcc: c@d.example' })

    expect(unknown).toMatchObject({ code: 'PT404', details: 'variant_not_found' })
    expect(malformed).toMatchObject({ code: 'PT422', details: 'invalid_email' })
  })

  it('stores at most twenty stock alerts per address without revealing the limit', async () => {
    const email = anAddress()
    const variants = await soldOutVariants(22)

    for (const variant of variants) {
      // oxlint-disable-next-line no-await-in-loop -- sequential, like a person
      expect(await requestAlert(variant, email)).toEqual({ outcome: 'noted' })
    }

    const { rows } = await shop.database.owner.query<{ count: number }>(
      'select count(*)::int from public.stock_alerts where email = $1',
      [email],
    )
    expect(rows).toEqual([{ count: 20 }])
  })
})

describe('unsubscribe link of stock alerts', () => {
  it('cancels all stock alerts of the address with one click', async () => {
    const [back, waiting] = await soldOutVariants(2)
    const email = anAddress()
    await requestAlert(back ?? '', email)
    await requestAlert(waiting ?? '', email)
    await setStock(back ?? '', 1)
    const [mail] = await mailsTo(email)
    const link = linkOf(mail)

    const looked = await shop.fetch(new URL(link).pathname)
    const ended = await shop.fetch(new URL(link).pathname, {
      method: 'POST',
      body: 'List-Unsubscribe=One-Click',
    })
    await setStock(waiting ?? '', 1)

    expect([looked.status, ended.status]).toEqual([200, 200])
    expect(await looked.text()).toContain('<form method="post">')
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('drops a queued stock alert when the recipient unsubscribes', async () => {
    const [first, second] = await soldOutVariants(2)
    const email = anAddress()
    await requestAlert(first ?? '', email)
    await setStock(first ?? '', 1)
    const link = linkOf((await mailsTo(email))[0])
    await requestAlert(second ?? '', email)
    await setStock(second ?? '', 1)
    await shop.database.owner.query('select private.queue_stock_alerts()')

    await shop.fetch(new URL(link).pathname, { method: 'POST' })

    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('leaves the recipient’s other mails and the alerts of other people in the queue', async () => {
    const [first, second] = await soldOutVariants(2)
    const [customer, neighbour] = [await shop.signUp(), anAddress()]
    await requestAlert(first ?? '', customer.email)
    await setStock(first ?? '', 1)
    const link = linkOf((await mailsTo(customer.email))[0])
    await customer.client.auth.resetPasswordForEmail(customer.email)
    await requestAlert(second ?? '', neighbour)
    await setStock(second ?? '', 1)
    await shop.database.owner.query('select private.queue_stock_alerts()')

    await shop.fetch(new URL(link).pathname, { method: 'POST' })

    const subjects = (await mailsTo(customer.email)).map(({ subject }) => subject)
    expect(subjects).toEqual([expect.stringMatching(/ is back: /), expect.stringMatching(/password/i)])
    expect(await mailsTo(neighbour)).toHaveLength(1)
  })
})

function anAddress(): string {
  return `angler-${crypto.randomUUID()}@example.com`
}

async function requestAlert(variant: string, email: string, client = shop.client()): Promise<unknown> {
  const { data, error } = await client.rpc('request_stock_alert', { variant, email })
  if (error) throw error
  return data
}

/** Creates sold-out colours of a new product, so that tests do not share stock. */
async function soldOutVariants(count: number): Promise<string[]> {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    `with product as (
       insert into public.products (name, description, price, image_url, category, stock_quantity)
       values ('Test Lure ' || gen_random_uuid(), '', 140, '/storage/v1/object/public/catalogue/a.jpg', 'Poppers', 0) returning id)
     insert into public.product_variants (product_id, name)
     select id, 'Colour ' || n from product, generate_series(1, $1) n returning id`,
    [count],
  )
  return rows.map(({ id }) => id)
}

async function aSoldOutVariant(): Promise<string> {
  const [variant = ''] = await soldOutVariants(1)
  return variant
}

async function variantOf(orderId: string): Promise<string> {
  const { rows } = await shop.database.owner.query<{ variant_id: string }>(
    'select variant_id from public.order_items where order_id = $1',
    [orderId],
  )
  return rows[0]?.variant_id ?? ''
}

async function setStock(variant: string, quantity: number): Promise<void> {
  await shop.database.owner.query('update public.product_variants set stock_quantity = $2 where id = $1', [
    variant,
    quantity,
  ])
}

/** Runs the job and returns the mails to this address. */
async function mailsTo(email: string): Promise<Email[]> {
  await shop.database.owner.query(`select graphile_worker.add_job('queue_stock_alerts')`)
  await shop.runJobs()
  return (await room.received()).filter(({ to }) => to?.[0]?.address === email)
}

function linkOf(mail: Email | undefined): string {
  const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? ''
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const [, link = ''] =
    /^<(https:\/\/shop\.example\/mail\/stock-alerts\/[0-9a-f-]{36})>$/.exec(header('list-unsubscribe')) ?? []
  expect(mail?.html).toContain(link)
  return link
}
