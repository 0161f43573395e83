/**
 * Property test of the ledger: random sequences of purchases, promo codes, valid and invalid notices, outages of PayFast and the
 * mail server, cancellations, expiries, staff decisions, late and concurrent jobs, and power cuts. The ledger must be consistent
 * after each. LEDGER_STEPS sets the number of steps, LEDGER_SEED the random seed, LEDGER_PATH the sequence to repeat; a failure prints
 * both.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { beginLife, type MailDelivery, type Life, openWorld, settle, type World } from '#test/ledger/life.ts'
import { anyStep, paidTwice, powerCut } from '#test/ledger/steps.ts'
import { findBrokenSums } from '#test/ledger/sums.ts'
import { countFor } from '@saltfreak/backend/testing'

const STEPS = countFor('LEDGER_STEPS', { gate: 100, long: 20_000 })
const STEPS_OF_A_LIFE = 50
/** At least, in each life. */
const POWER_CUTS = 2
const SEED = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31)
const PATH = process.env.LEDGER_PATH

let world: World
beforeAll(async () => {
  // The job library also logs every dying worker to the console.
  vi.spyOn(console, 'trace').mockImplementation(() => {})
  world = await openWorld()
})
afterAll(() => world.close())

it(
  `keeps the payment ledger consistent after ${STEPS} random steps (seed ${SEED})`,
  { timeout: 60_000 + STEPS * 300 },
  async () => {
    const length = STEPS_OF_A_LIFE - paidTwice.length - POWER_CUTS
    const cuts = fc.array(fc.tuple(powerCut, fc.nat({ max: length })), {
      minLength: POWER_CUTS,
      maxLength: POWER_CUTS,
    })
    const life = fc
      .tuple(fc.array(anyStep, { minLength: length, maxLength: length }), cuts)
      .map(([steps, chosen]) => [
        ...paidTwice,
        ...chosen.reduce((before, [cut, at]) => before.toSpliced(at, 0, cut), steps),
      ])
    await fc.assert(
      fc.asyncProperty(life, async (steps) => {
        const lived = await beginLife(world)
        // oxlint-disable-next-line no-await-in-loop -- the steps of a sequence depend on each other
        for (const step of steps) await step(lived)
        await settle(lived)

        expect(await findBrokenSums(world.observer)).toEqual({})
        expect(await unrecorded(lived)).toEqual([])
        expect(sentTooOften(world.mail.deliveries)).toEqual([])
      }),
      {
        numRuns: Math.ceil(STEPS / STEPS_OF_A_LIFE),
        seed: SEED,
        endOnFailure: true,
        ...(PATH && { path: PATH }),
      },
    )

    // Fails if the sequences contain too few events to be meaningful.
    const { rows: outcomes } = await world.observer.query('select distinct outcome from public.payments')
    expect(outcomes.length).toBeGreaterThan(STEPS < 10_000 ? 1 : 3)
    expect(world.epoch / 2).toBeGreaterThan(STEPS / 50)
  },
)

/** Payments whose notice the shop has acknowledged to PayFast. */
async function unrecorded({ taken }: Life): Promise<string[]> {
  const { rows } = await world.observer.query<{ id: string }>(
    `select taken as id from unnest($1::text[]) as taken
     where not exists (select from public.payments p where p.pf_payment_id = taken)`,
    [[...taken]],
  )
  return rows.map(({ id }) => id)
}

/** Each mail is sent once; a second time only after a power cut between the server's acceptance and the commit. */
function sentTooOften(deliveries: MailDelivery[]): MailDelivery[] {
  const last = new Map<string, MailDelivery>()
  return deliveries.filter((delivery) => {
    const before = last.get(delivery.messageId)
    last.set(delivery.messageId, delivery)
    return delivery.wasSent || (before?.epoch === delivery.epoch && delivery.epoch % 2 === 0)
  })
}
