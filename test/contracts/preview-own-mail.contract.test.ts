import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder } from '#test/shopping.ts'

let shop: TestShop
let admin: Person
let customer: Person
let messageId: string
beforeAll(async () => {
  shop = await openShop()
  ;[admin, customer] = [await shop.admin(), await shop.signUp()]
  const { owner } = shop.database
  await owner.query(`update public.profiles set full_name = 'Derick Smit' where id = $1`, [admin.userId])
  await owner.query(`update public.profiles set full_name = 'Johan Pretorius' where id = $1`, [
    customer.userId,
  ])
  const { rows } = await owner.query<{ id: string }>(
    `insert into public.contact_submissions (name, email, subject, message)
     values ('Sipho Dlamini', 'sipho@example.com', 'Hooks', 'Which hooks?
For the 150.') returning id`,
  )
  messageId = rows[0]?.id ?? ''
})
afterAll(() => shop.close())

const MAIL_TEXT = {
  subject: 'Your Redhead',
  message: 'The Redhead is painted\nand dries until Tuesday.\n\nSee you then.',
}

interface Rendered {
  to: string
  subject: string
  html: string
  text: string
}

async function preview(input: Record<string, unknown>, person = admin): Promise<Rendered> {
  const { data, error } = await person.client.functions.invoke<Rendered>('preview-own-mail', { body: input })
  if (error || !data) throw error ?? new Error('no preview')
  return data
}

async function sentTo(address: string) {
  await shop.runJobs()
  const { rows } = await shop.database.owner.query<Rendered>(
    `select sent_to as to, subject, html, text from public.mails where template = 'admin-email' and sent_to = $1
     order by created_at desc limit 1`,
    [address],
  )
  return rows[0]
}

it('previews a staff mail exactly as customers receive the mail', async () => {
  const shown = await preview({ to: customer.email, ...MAIL_TEXT })
  await admin.client.functions.invoke('send-admin-email', { body: { to: customer.email, ...MAIL_TEXT } })

  expect(await sentTo(customer.email)).toEqual(shown)
})

it('previews a reply exactly as customers receive the reply, with the quoted question', async () => {
  const shown = await preview({ submissionId: messageId, ...MAIL_TEXT })
  await admin.client.rpc('answer_message', { submission_id: messageId, ...MAIL_TEXT })

  expect(await sentTo('sipho@example.com')).toEqual(shown)
  expect(shown.text).toMatch(/you wrote:\s+Which hooks\?\nFor the 150\./)
})

it('adds a mail’s greeting and signature once and keeps line breaks', async () => {
  const { html, text } = await preview({ to: customer.email, ...MAIL_TEXT })

  expect(text.replace(/^.*?(?=Hi Johan)/s, '')).toMatch(
    /^Hi Johan,\n\nThe Redhead is painted\nand dries until Tuesday\.\n\nSee you then\.\n\nDerick Smit\nSaltfreak\n/,
  )
  expect(text).not.toContain('Your Redhead')
  expect(html).not.toMatch(/border-left/)
  const greeted = await preview({ to: customer.email, ...MAIL_TEXT, message: 'Hi Johan, it is painted.' })
  expect(greeted.text.match(/Hi Johan/g)).toHaveLength(1)
})

it('does not let customers preview staff mails', async () => {
  await expect(preview({ to: admin.email, ...MAIL_TEXT }, customer)).rejects.toThrow()
  await expect(preview({ submissionId: messageId, ...MAIL_TEXT }, customer)).rejects.toThrow()
})

it('greets the buyer of the order that a staff mail is about, and shows the mail on the order’s timeline', async () => {
  const { id } = await placeOrder(customer)
  const { owner } = shop.database
  await owner.query(
    `update public.orders set customer_name = 'Lerato Nkosi', customer_email = $2 where id = $1`,
    [id, customer.email],
  )
  const about = { to: customer.email, ...MAIL_TEXT }

  expect((await preview({ ...about, orderId: id })).text).toContain('Hi Lerato,')
  expect((await preview(about)).text).toContain('Hi Johan,')

  await admin.client.functions.invoke('send-admin-email', {
    body: { ...about, subject: 'Paint', orderId: id },
  })
  await shop.runJobs()
  const { data: events } = await admin.client
    .from('order_events')
    .select('detail->>template')
    .eq('order_id', id)
    .eq('kind', 'mail_sent')
  expect(events).toEqual([{ template: 'admin-email' }])
})
