import { expect, it } from 'vitest'
import { callShares } from './limits.ts'

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

const pools = range(2, 60).flatMap((connections) =>
  range(1, 8).map((processes) => ({ connections, processes })),
)

it('leaves a connection of every pool of four or more when one address makes all the calls that it may', () => {
  for (const pool of pools.filter(({ connections }) => connections >= 4)) {
    const { visitors, accounts, checkouts } = callShares(pool)
    expect(visitors + accounts + checkouts.ofAddress, JSON.stringify(pool)).toBeLessThan(pool.connections)
    expect(checkouts.ofAddress, JSON.stringify(pool)).toBeLessThan(checkouts.atOnce)
  }
})

it('lets an address make a call of each kind and leaves half of the connections to other calls than orders', () => {
  for (const pool of pools) {
    const { visitors, accounts, checkouts } = callShares(pool)
    expect(Math.min(visitors, accounts, checkouts.ofAddress), JSON.stringify(pool)).toBeGreaterThanOrEqual(1)
    expect(checkouts.atOnce, JSON.stringify(pool)).toBeLessThanOrEqual(pool.connections / 2)
  }
})

it('divides what a machine runs for one address among its processes', () => {
  expect(callShares({ connections: 20, processes: 1 })).toMatchObject({ visitors: 4, accounts: 8 })
  expect(callShares({ connections: 20, processes: 3 })).toMatchObject({
    visitors: 2,
    accounts: 3,
    account: 3,
  })
})
