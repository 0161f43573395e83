import { expect, it } from 'vitest'
import { shippingMethodLabel } from './shipping-method.ts'

it.each([
  ['locker', 'Locker'],
  ['door-to-door', 'Door to door'],
  ['hand-over', 'Handed over in person'],
  [null, 'Door to door'],
])('labels the shipping method %j as %s', (method, label) => {
  expect(shippingMethodLabel(method)).toBe(label)
})
