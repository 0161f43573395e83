/**
 * Property test of the ledger: random sequences of purchases, promo codes, valid and invalid notices, outages of PayFast and the
 * mail server, cancellations, expiries, staff decisions, late and concurrent jobs, and power cuts. The ledger must be consistent
 * after each. LEDGER_STEPS sets the number of steps, LEDGER_SEED the random seed; a failure prints its seed and the shortest
 * failing sequence.
 */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { beginLife, type MailDelivery, type Life, openWorld, settle, type World } from '#test/ledger/life.ts'
import { anyStep, powerCut } from '#test/ledger/steps.ts'
import { findBrokenSums } from '#test/ledger/sums.ts'
import { countFor } from '@saltfreak/backend/testing'

const STEPS = countFor('LEDGER_STEPS', { gate: 200, long: 20_000 })
const STEPS_OF_A_LIFE = 50
const LIVES = Math.ceil(STEPS / STEPS_OF_A_LIFE)
const SEED = Number(process.env.LEDGER_SEED ?? Date.now() % 2 ** 31)

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
    const length = STEPS_OF_A_LIFE - 1
    // At least one power cut in each life, wherever it falls.
    const life = fc
      .tuple(fc.array(anyStep, { minLength: length, maxLength: length }), powerCut, fc.nat({ max: length }))
      .map(([steps, cut, at]) => steps.toSpliced(at, 0, cut))
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
      { numRuns: LIVES, seed: SEED, endOnFailure: true },
    )

    // Fails if the sequences contain too few events to be meaningful. Of 200 random steps, seeds reach two to four outcomes.
    const { rows: outcomes } = await world.observer.query('select distinct outcome from public.payments')
    expect(outcomes.length).toBeGreaterThan(STEPS < 10_000 ? 0 : 3)
    expect(world.epoch / 2).toBeGreaterThanOrEqual(LIVES)
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
