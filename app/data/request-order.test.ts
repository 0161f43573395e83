import { expect, it } from 'vitest'
import { requestOrder } from './request-order.ts'

it('ignores the answer to a request after that to a later one', () => {
  const ask = requestOrder()
  const [first, second, third] = [ask(), ask(), ask()]

  expect(second()).toBe(true)
  expect(first()).toBe(false)
  expect(third()).toBe(true)
})

it('counts an answer while a later request has none, which may fail', () => {
  const ask = requestOrder()
  const first = ask()
  ask()

  expect(first()).toBe(true)
})
