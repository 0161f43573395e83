import { expect, it } from 'vitest'
import { backdropPress } from './backdrop-press.ts'

const dialog = { getBoundingClientRect: () => ({ left: 100, right: 300, top: 50, bottom: 250 }) }
const text = {}

const at = (clientX: number, clientY: number, target: object = dialog) => ({
  target,
  currentTarget: dialog,
  clientX,
  clientY,
})

it('closes a dialog by a press that begins and ends on the backdrop', () => {
  const press = backdropPress()

  press.begin(at(20, 20))

  expect(press.isComplete(at(30, 20))).toBe(true)
})

it.each([
  ['its text', text],
  ['its padding', dialog],
])('does not close a dialog by a press that begins on %s and ends on the backdrop', (_, target) => {
  const press = backdropPress()

  press.begin(at(200, 100, target))

  expect(press.isComplete(at(320, 100))).toBe(false)
})

it('does not close a dialog by a press that begins on the backdrop and ends in the dialog', () => {
  const press = backdropPress()

  press.begin(at(20, 20))

  expect(press.isComplete(at(110, 60))).toBe(false)
})

it('does not close a dialog by a later press that begins inside', () => {
  const press = backdropPress()
  press.begin(at(20, 20))

  press.begin(at(200, 100, text))

  expect(press.isComplete(at(320, 100))).toBe(false)
})
