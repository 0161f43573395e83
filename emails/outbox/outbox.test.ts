import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { inTransaction } from '@saltfreak/backend'
import { quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { aBuyer, placeOrder, type BuyerOrder } from '#test/buyer.ts'
import { as, shopDatabase, type TestDatabase } from '#test/database.ts'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'

import { createMailbox } from './mailbox.ts'
import { queueMail } from './queue-mail.ts'
import { mailTasks } from './tasks.ts'
import { outboxDelivery, smtpDelivery, type Deliver } from './transport.ts'

const FROM = 'Saltfreak <hello@saltfreak.example>'

let shop: TestDatabase
let room: TestMailServer

beforeAll(async () => {
  shop = await shopDatabase()
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  room = await startMailServer()
})
afterAll(async () => {
  await room.close()
  await shop.close()
})
afterEach(() => {
  room.behaviour = 'accepts'
  room.empty()
})

describe('order mails', () => {
  // covers A4.6
  it('sends one e-mail to the customer and one to the shop when an order is paid', async () => {
    const { order, email } = await aPaidOrder()

    await runJobs()

    const [toCustomer, toShop] = await byRecipient()
    expect(toCustomer?.subject).toBe(`Order ${padded(order)} is confirmed`)
    expect(toCustomer?.from?.address).toBe('hello@saltfreak.example')
    expect(toShop?.to?.[0]?.address).toBe('orders@saltfreak.example')
    expect(toShop?.replyTo?.[0]?.address).toBe(email)
    expect(await room.received()).toHaveLength(2)
  })

  it('asks customers to reply to the shop’s address, not to the sender’s', async () => {
    await aPaidOrder()

    await runJobs()

    const [toCustomer] = await byRecipient()
    expect(toCustomer?.replyTo?.[0]?.address).toBe('orders@saltfreak.example')
  })

  it('records sent e-mails on the order’s timeline', async () => {
    const { order, email } = await aPaidOrder()

    await runJobs()

    const { rows } = await shop.database.owner.query(
      `select detail ->> 'template' as template, detail ->> 'to' as recipient from public.order_events
       where order_id = $1 and kind = 'mail_sent' order by template`,
      [order.id],
    )
    expect(rows).toEqual([
      { template: 'order-confirmation', recipient: email },
      { template: 'order-notification', recipient: 'orders@saltfreak.example' },
    ])
  })

  it('states items, prices, delivery and cancellation rights in HTML and text of the order e-mail', async () => {
    const { order } = await aPaidOrder()

    await runJobs()

    const [mail] = await byRecipient()
    for (const part of [mail?.html, mail?.text]) {
      const words = part?.replaceAll('\u00a0', ' ').replaceAll('<!-- -->', '').replaceAll('&#x27;', "'") ?? ''
      expect(words).toContain('Chisel Nose Popper 200mm/50G')
      expect(words).toContain('Blue Reaper 200mm · Without Hooks')
      expect(words).toContain('R140.00')
      expect(words).toContain('R100.00')
      expect(words).toContain('R240.00')
      expect(words).toContain('Kenton Spar')
      expect(words).toContain("Thandi O'Neill")
      expect(words).toContain('within 7 days')
      expect(words).toContain(`https://shop.example/account/orders/${order.id}`)
    }
    expect(mail?.html).toContain('prefers-color-scheme: dark')
  })

  it('sends no order e-mails when the transaction is rolled back', async () => {
    const order = await placeOrder(shop.database, await aBuyer(shop.database))

    await inTransaction(shop.database.owner, async (client) => {
      await client.query('select private.mark_order_paid($1, now())', [order.id])
      throw new Error('the power went')
    }).catch(() => {})
    await runJobs()

    expect(await room.received()).toEqual([])
  })

  it('sends no order e-mails before the order is paid', async () => {
    await placeOrder(shop.database, await aBuyer(shop.database))

    await runJobs()

    expect(await room.received()).toEqual([])
  })
})

describe('payment reminders', () => {
  it.each([
    ['payment-reminder', 'is paid', 'select private.mark_order_paid($1, now())'],
    ['payment-top-up', 'is cancelled', `select private.cancel_order($1, 'expired')`],
    ['payment-reminder', 'is deleted', 'delete from public.orders where id = $1'],
  ])('drops a queued %s when the order %s', async (template, _change, sql) => {
    const { order, mail } = await aQueuedReminder(template)
    await shop.database.owner.query(sql, [order.id])

    await runJobs()

    expect((await room.received()).map(({ messageId }) => messageId)).not.toContain(messageIdOf(mail))
    expect(await rowsOf(mail)).toEqual([])
  })

  it('sends a queued payment reminder while the order awaits payment', async () => {
    const { mail } = await aQueuedReminder('payment-reminder')

    await runJobs()

    expect((await room.received()).map(({ messageId }) => messageId)).toEqual([messageIdOf(mail)])
  })
})

describe('the outbox', () => {
  it('queues one e-mail per key when ten requests arrive together', async () => {
    const mail = aMail()

    await Promise.all(Array.from({ length: 10 }, () => queueMail(shop.database.owner, mail)))
    await Promise.all([runJobs(), runJobs(), runJobs()])

    expect(await room.received()).toHaveLength(1)
  })

  it('stores each e-mail as it was sent', async () => {
    const mail = aMail()
    await queueMail(shop.database.owner, mail)

    await runJobs()

    const stored = await mailOf(mail.key)
    expect(stored).toMatchObject({
      status: 'sent',
      attempts: 1,
      sent_to: mail.recipient,
      subject: 'High tide',
    })
    const [sent] = await room.received()
    expect(stored.html.trim()).toBe(sent?.html?.trim())
    expect(sent?.messageId).toBe(`<${stored.id}@saltfreak.example>`)
  })

  it('escapes HTML in texts of users in e-mails', async () => {
    const mail = aMail({ message: '<img src=x onerror=alert(1)>\nsecond line' })
    await queueMail(shop.database.owner, mail)

    await runJobs()

    const [sent] = await room.received()
    expect(sent?.html).not.toContain('<img src=x')
    expect(sent?.text).toContain('<img src=x onerror=alert(1)>')
  })

  it.each([
    ['refuses the recipient', 'No mailbox here'],
    ['is busy', 'Try again later'],
  ] as const)(
    'retries an e-mail when the mail server %s, records the answer, and sends the e-mail once',
    async (behaviour, words) => {
      const mail = aMail()
      await queueMail(shop.database.owner, mail)
      room.behaviour = behaviour
      await runJobs()
      const waiting = await mailOf(mail.key)
      expect(waiting.status).toBe('queued')
      expect(waiting.last_error).toContain(words)

      room.behaviour = 'accepts'
      await runJobsLater()
      await runJobsLater()

      expect(await room.received()).toHaveLength(1)
      expect((await mailOf(mail.key)).status).toBe('sent')
    },
  )

  // covers A4.8 S8.16
  it('retries e-mails while the mail server is down, and sends each e-mail once afterwards', async () => {
    const away = await startMailServer()
    const deliver = smtpDelivery(away.url, FROM)
    await away.close()
    const mails = [aMail(), aMail(), aMail()]
    for (const mail of mails) await queueMail(shop.database.owner, mail)
    await runJobs(deliver)
    await runJobsLater(deliver)

    const back = await startMailServer(Number(new URL(away.url).port))
    await runJobsLater(deliver)
    await runJobsLater(deliver)
    await back.close()

    const recipients = (await back.received()).map(({ to }) => to?.[0]?.address)
    expect(recipients).toHaveLength(3)
    expect(new Set(recipients)).toEqual(new Set(mails.map(({ recipient }) => recipient)))
  })

  it('stops retrying an e-mail after three days until an admin retries it', async () => {
    const mail = aMail()
    await queueMail(shop.database.owner, mail)
    let waited = 0
    for (let round = 0; round < 44; round++) {
      waited += await secondsToRetry(mail.key)
      await runJobsLater(refuse)
    }
    const failed = await mailOf(mail.key)
    expect(failed).toMatchObject({ status: 'failed', attempts: 44 })
    expect(failed.last_error).toContain('No mailbox here')
    expect(waited / 3600).toBeGreaterThan(72)

    await retryAsAdmin(failed.id)
    await runJobs()

    expect(await room.received()).toHaveLength(1)
  })

  it('resends an e-mail with the same Message-ID after a crash during delivery', async () => {
    const mail = aMail()
    await queueMail(shop.database.owner, mail)
    const deliver = smtpDelivery(room.url, FROM)

    await runJobs(async (outgoing) => {
      await deliver(outgoing)
      await loseConnections()
    }).catch(() => {})
    expect((await mailOf(mail.key)).status).toBe('queued')
    await runJobsLater()

    const [first, second, ...more] = await room.received()
    expect(second?.messageId).toBe(first?.messageId)
    expect(more).toEqual([])
  })

  it('sends an e-mail once when a second job for the e-mail runs', async () => {
    const mail = aMail()
    await queueMail(shop.database.owner, mail)
    await runJobs()
    await shop.database.owner.query(
      `select graphile_worker.add_job('send_mail', json_build_object('mailId', $1::text))`,
      [(await mailOf(mail.key)).id],
    )

    await runJobs()

    expect(await room.received()).toHaveLength(1)
  })

  it('keeps e-mails queued in a public shop without a mail server', async () => {
    const mail = aMail()
    await queueMail(shop.database.owner, mail)

    await runJobs(outboxDelivery({ smtpUrl: null, mailFrom: FROM, isLocal: false }))

    expect(await mailOf(mail.key)).toMatchObject({
      status: 'queued',
      last_error: expect.stringContaining('SMTP_URL'),
    })
  })

  it('hides e-mails with sign-in links from admins', async () => {
    const mail = {
      key: `recovery:${crypto.randomUUID()}`,
      template: 'password-recovery',
      recipient: 'thandi@example.com',
      props: { link: 'https://shop.example/auth?token=abc' },
      isConfidential: true,
    }
    await queueMail(shop.database.owner, mail)
    await runJobs()
    expect((await room.received())[0]?.text).toContain('token=abc')

    const seen = await asAdmin((client) =>
      client.query('select from public.mails where key = $1', [mail.key]),
    )

    expect(seen.rowCount).toBe(0)
  })
})

describe('mailbox page', () => {
  it('shows queued e-mails on the mailbox page without a mail server', async () => {
    const mail = aMail({ message: 'The <tide> is high' })
    await queueMail(shop.database.owner, mail)
    await runJobs(null)
    const mailbox = createMailbox(shop.database.owner)
    const { id } = await mailOf(mail.key)

    const list = await (await mailbox.request('/')).text()
    const page = await (await mailbox.request(`/${id}`)).text()
    const text = await (await mailbox.request(`/${id}/text`)).text()

    expect(list).toContain('High tide')
    expect(page).toContain('sandbox')
    expect(text).toContain('The <tide> is high')
    expect(await room.received()).toEqual([])
  })

  it('previews every e-mail template on the mailbox page', async () => {
    const mailbox = createMailbox(shop.database.owner)

    const list = await (await mailbox.request('/previews')).text()
    const shown = await (await mailbox.request('/previews/order-confirmation')).text()

    expect(list).toContain('password-recovery')
    expect(shown).toContain('Order 00042 is confirmed')
    expect((await mailbox.request('/previews/nonsense')).status).toBe(404)
  })

  it('returns 404 for unknown mailbox pages', async () => {
    const mailbox = createMailbox(shop.database.owner)

    expect((await mailbox.request(`/${crypto.randomUUID()}`)).status).toBe(404)
    expect((await mailbox.request('/nonsense')).status).toBe(404)
  })
})

function aMail(props: Partial<{ subject: string; message: string }> = {}) {
  const id = crypto.randomUUID()
  return {
    key: `test:${id}`,
    template: 'admin-email',
    recipient: `angler-${id.slice(0, 8)}@example.com`,
    props: { subject: 'High tide', message: 'At six.', ...props },
  }
}

async function aPaidOrder(): Promise<{ order: BuyerOrder; email: string }> {
  const buyer = await aBuyer(shop.database)
  const order = await placeOrder(shop.database, buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])
  return { order, email: buyer.email }
}

async function aQueuedReminder(template: string): Promise<{ order: BuyerOrder; mail: string }> {
  const buyer = await aBuyer(shop.database)
  const order = await placeOrder(shop.database, buyer)
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select private.queue_mail($1, $2, $3, private.order_for_mail($4)) as id',
    [`${template}:${order.id}`, template, buyer.email, order.id],
  )
  return { order, mail: rows[0]?.id ?? '' }
}

function messageIdOf(mailId: string): string {
  return `<${mailId}@saltfreak.example>`
}

async function rowsOf(mailId: string): Promise<unknown[]> {
  const { rows } = await shop.database.owner.query('select from public.mails where id = $1', [mailId])
  return rows
}

function runJobs(deliver: Deliver | null = smtpDelivery(room.url, FROM)) {
  const tasks = mailTasks({
    owner: shop.database.owner,
    publicUrl: 'https://shop.example',
    mailFrom: FROM,
    shopEmail: 'orders@saltfreak.example',
    deliver,
    log: quietLog,
  })
  return runDueJobs({ pool: shop.database.owner, tasks, log: quietLog })
}

/** As `smtpDelivery` fails; 44 refusals by the mail server take longer than the rest of the test. */
const refuse: Deliver = () => Promise.reject(new Error('550 No mailbox here'))

/** Runs the jobs as if the retry delay were over. */
async function runJobsLater(deliver?: Deliver) {
  await shop.database.owner.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now()',
  )
  await runJobs(deliver)
}

/** Ends open transactions like a kill of the process. */
async function loseConnections(): Promise<void> {
  await shop.database.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`,
  )
}

/** Customer first, shop second. */
async function byRecipient() {
  return (await room.received()).toSorted((a) => (a.to?.[0]?.address === 'orders@saltfreak.example' ? 1 : -1))
}

function padded(order: BuyerOrder): string {
  return String(order.order_number).padStart(5, '0')
}

interface StoredMail {
  id: string
  status: string
  attempts: number
  last_error: string
  html: string
}

async function mailOf(key: string): Promise<StoredMail> {
  const { rows } = await shop.database.owner.query<StoredMail>('select * from public.mails where key = $1', [
    key,
  ])
  if (!rows[0]) throw new Error(`no mail ${key}`)
  return rows[0]
}

async function secondsToRetry(key: string): Promise<number> {
  const { rows } = await shop.database.owner.query<{ seconds: number }>(
    `select extract(epoch from j.run_at - now())::int as seconds from graphile_worker._private_jobs j
     join public.mails m on j.key = 'send_mail:' || m.id where m.key = $1`,
    [key],
  )
  return Math.max(0, rows[0]?.seconds ?? 0)
}

async function asAdmin<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const { userId } = await aBuyer(shop.database)
  await shop.database.owner.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [
    userId,
  ])
  return inTransaction(shop.database.owner, async (client) => {
    await as(client, { sub: userId })
    return work(client)
  })
}

async function retryAsAdmin(mailId: string): Promise<void> {
  await asAdmin((client) => client.query('select public.retry_mail($1)', [mailId]))
}
