import { Hono } from 'hono'
import type { Pool, QueryConfig } from 'pg'

import { inTransaction } from '@saltfreak/backend'
import { openDatabase, quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { mailTasks } from '#emails/outbox/tasks.ts'
import { createPayments, paymentTasks } from '#payments/create-payments.ts'
import { aBuyer, type Buyer } from '#test/buyer.ts'
import { as, shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast, type NoticeFields } from '#test/fake-payfast.ts'
import { POPPER_150, POPPER_200, STICK_BAIT } from '#test/product-names.ts'

/** The state of one life: its orders, payment attempts and received payments. */
export interface Life {
  world: World
  buyers: Buyer[]
  orders: { id: string; total: string }[]
  attempts: NoticeFields[]
  /** Bodies of sent notices, for repeated delivery. */
  notices: string[]
  /** Payments whose notice got 200 and that PayFast will confirm. */
  taken: Set<string>
}

/** A shop whose connections can be cut at any moment, and the people and services around it. */
export interface World {
  shop: TestDatabase
  /** Connections of the checks, which a power cut spares. */
  observer: Pool
  payfast: FakePayfast
  endpoint: Hono
  adminId: string
  mail: { isDown: boolean; deliveries: MailDelivery[] }
  /** Even while there is power, odd from a cut until the interrupted work has ended. */
  epoch: number
  close(): Promise<void>
}

export interface MailDelivery {
  messageId: string
  epoch: number
  /** Recorded as sent before this delivery, so the delivery is a duplicate. */
  wasSent: boolean
}

export const LEDGER_LURES = { cheap: POPPER_200, big: STICK_BAIT, madeToOrder: POPPER_150 }

export const LEDGER_PROMO_CODES = { few: 'LEDGER-FEW', free: 'LEDGER-FREE' }

export async function openWorld(): Promise<World> {
  const shop = await shopDatabase()
  const payfast = await fakePayfast()
  const observer = openDatabase(shop.url, { ownerConnections: 2, apiConnections: 0 })
  const { owner } = shop.database
  const endpoint = new Hono().route(
    '/payments',
    createPayments({
      owner,
      account: payfast.account,
      consumeBadSignatureLimit: async () => true,
      log: quietLog,
    }),
  )
  const { userId: adminId } = await aBuyer(shop.database)
  await owner.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [adminId])
  await owner.query(
    `insert into public.promo_codes (code, discount_type, discount_value, usage_limit, per_customer_limit, free_shipping)
     values ($1, 'fixed', 50, 3, 1, false), ($2, 'percentage', 100, null, null, true)`,
    [LEDGER_PROMO_CODES.few, LEDGER_PROMO_CODES.free],
  )
  return {
    shop,
    observer: observer.owner,
    payfast,
    endpoint,
    adminId,
    mail: { isDown: false, deliveries: [] },
    epoch: 0,
    async close() {
      await payfast.close()
      await observer.close()
      await shop.close()
    },
  }
}

export async function beginLife(world: World): Promise<Life> {
  const { payfast, mail, shop } = world
  payfast.behaviour = 'valid'
  mail.isDown = false
  const { owner } = shop.database
  await owner.query(
    `select private.cancel_order(id, 'end of a life') from public.orders where status = 'pending_payment'`,
  )
  // Stock few of each, so that lures sell out.
  await owner.query('update public.product_variants set stock_quantity = 6')
  // Orders of made-to-order lures find some of them in stock.
  await owner.query('update public.products set made_to_order = name = $1', [LEDGER_LURES.madeToOrder])
  await owner.query(
    `update public.product_variants v set stock_quantity = 2 from public.products p where p.id = v.product_id and p.made_to_order`,
  )
  const buyers = await Promise.all([1, 2, 3].map(() => aBuyer(shop.database)))
  return { world, buyers, orders: [], attempts: [], notices: [], taken: new Set() }
}

/** Ends all faults and runs every job: PayFast confirms and the mail server accepts. */
export async function settle({ world }: Life): Promise<void> {
  world.payfast.behaviour = 'valid'
  world.mail.isDown = false
  for (let round = 0; round < 4; round++) {
    // oxlint-disable-next-line no-await-in-loop -- jobs may write jobs
    await runJobsLater(world)
  }
}

/** Runs jobs with two concurrent workers. */
export async function runJobs(world: World): Promise<void> {
  await Promise.all([work(world), work(world)])
}

/** Runs jobs hours later: backoffs are over, and locks of dead workers are released. */
export async function runJobsLater(world: World): Promise<void> {
  await world.observer.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
     from graphile_worker._private_jobs where locked_by is not null having count(*) > 0`,
  )
  await world.observer.query('update graphile_worker._private_jobs set run_at = now() where run_at > now()')
  await world.observer.query(`select graphile_worker.add_job('restart_lost_jobs')`)
  await runJobs(world)
}

async function work(world: World): Promise<void> {
  const { owner } = world.shop.database
  const tasks = {
    ...paymentTasks({ owner, account: world.payfast.account, log: quietLog }),
    ...mailTasks({
      owner,
      publicUrl: 'https://shop.example',
      mailFrom: 'shop@shop.example',
      shopEmail: 'shop@shop.example',
      deliver: ({ messageId }) => deliver(messageId, world),
      log: quietLog,
    }),
  }
  await runDueJobs({ pool: owner, tasks, log: quietLog })
}

async function deliver(messageId: string, { mail, observer, epoch }: World): Promise<void> {
  if (mail.isDown) throw new Error('421 The mail server is going down')
  const mailId = /<([^@]+)@/.exec(messageId)?.[1]
  const { rows } = await observer.query(`select from public.mails where id = $1 and status = 'sent'`, [
    mailId,
  ])
  mail.deliveries.push({ messageId, epoch, wasSent: rows.length > 0 })
}

/** Terminates every connection of the shop, which rolls back transactions and stops workers. */
export async function cutPower(world: World): Promise<void> {
  world.epoch += 1
  const { observer } = world
  const observers = await Promise.all([observer.connect(), observer.connect()])
  try {
    const spared = await Promise.all(
      observers.map((client) => client.query('select pg_backend_pid() as pid')),
    )
    await observers[0].query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> all ($1) and backend_type = 'client backend'`,
      [spared.map(({ rows }) => rows[0].pid)],
    )
  } finally {
    for (const client of observers) client.release()
  }
}

/** Replaces the pool's dead connections, as a restarted process would have new ones. */
export async function startAgain({ shop: { database } }: World): Promise<void> {
  const { owner } = database
  const everyConnection = Array.from({ length: owner.options.max })
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each round removes some dead connections
    const answers = await Promise.allSettled(everyConnection.map(() => owner.query('select')))
    if (answers.every(({ status }) => status === 'fulfilled')) return
  }
}

/** Runs a statement as a signed-in person, as the API does. */
export async function actAs(sub: string, { shop }: World, statement: QueryConfig): Promise<void> {
  await inTransaction(shop.database.owner, async (client) => {
    await as(client, { sub })
    await client.query(statement)
  })
}
