import { expect, it } from 'vitest'
import { packedLines } from './packed-lines.ts'

const stickBait = {
  id: '1',
  name: 'Stick Bait',
  variant: 'Blue Reaper',
  renamedVariant: null,
  hooks: 'With Hooks',
}

it('packs the quantity that is left after a refund with items back in stock', () => {
  expect(packedLines([{ ...stickBait, quantity: 3, returned: 1 }])).toEqual([{ ...stickBait, quantity: 2 }])
})

it('leaves a line out of the parcel when all of its items are back in stock', () => {
  expect(packedLines([{ ...stickBait, quantity: 1, returned: 1 }])).toEqual([])
})
