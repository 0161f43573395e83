import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import { contiguous, type StoredPart } from './contiguous.ts'

const parts = fc
  .array(fc.record({ offset: fc.nat(60), length: fc.integer({ min: 1, max: 20 }) }), { maxLength: 20 })
  .map((found) => found.map((part) => ({ ...part, key: `${part.offset}-${part.length}` })))

/** The first byte that no part contains. */
function firstGap(found: StoredPart[]): number {
  let end = 0
  while (found.some(({ offset, length }) => offset <= end && end < offset + length)) end += 1
  return end
}

it('covers an upload without a gap up to the first missing byte, whatever parts overlap', () => {
  fc.assert(
    fc.property(parts, (found) => {
      const chosen = contiguous(found)

      let end = 0
      for (const { offset, length } of chosen) {
        expect(offset).toBeLessThanOrEqual(end)
        expect(offset + length).toBeGreaterThan(end)
        end = offset + length
      }
      expect(end).toBe(firstGap(found))
    }),
    runs(200),
  )
})
