import { expect, it } from 'vitest'
import { capacityOf, predict } from './capacity.ts'

it('adds up the programs that share cores, and keeps a fifth of the time free', () => {
  expect(capacityOf({ shop: 1, database: 3 }, { cores: 2 })).toEqual({
    perSecond: 400,
    bottleneck: 'database',
  })
})

it('finds the program whose own cores are used up first', () => {
  const cost = { shop: 1, database: 2, files: 50, proxy: 0.1 }
  expect(capacityOf(cost, { cores: { shop: 12, database: 8, proxy: 2 } })).toEqual({
    perSecond: 3200,
    bottleneck: 'database',
  })
  expect(capacityOf(cost, { cores: { shop: 2, database: 8, proxy: 2 } })).toEqual({
    perSecond: 1600,
    bottleneck: 'shop',
  })
})

it('predicts a larger batch from what a batch and what each request costs', () => {
  const batches = [100, 200, 300].map((count) => ({
    count,
    cost: { shop: 0.1 + count * 0.002, database: count * 0.003 },
  }))
  expect(predict(batches, 1000)).toBeCloseTo(5.1)
})
