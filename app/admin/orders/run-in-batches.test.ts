import { expect, it } from 'vitest'
import { runInBatches } from './run-in-batches.ts'

it('acts on each selected order exactly once, at most 500 in one call', async () => {
  const ids = Array.from({ length: 1001 }, (_, index) => `order ${index}`)

  const batches = await runInBatches(ids, async (batch) => batch)

  expect(batches.map(({ length }) => length)).toEqual([500, 500, 1])
  expect(batches.flat()).toEqual(ids)
})
