import { expect, it } from 'vitest'
import { CONTROL_COST, findPosition, overlapCost, type Obstacle } from './toast-position.ts'

const TOAST = { width: 300, height: 80 }
const WINDOW = { left: 0, top: 0, width: 390, height: 844 }
const preferred = { left: WINDOW.width, top: WINDOW.height }

function control(left: number, top: number, size = { width: 390, height: 48 }): Obstacle {
  return { box: { left, top, right: left + size.width, bottom: top + size.height }, weight: 100 }
}

function placed(obstacles: Obstacle[]) {
  const position = findPosition(TOAST, { ...WINDOW, obstacles, preferred })
  const box = { ...position, right: position.left + TOAST.width, bottom: position.top + TOAST.height }
  return { ...position, box, cost: overlapCost(box, obstacles) }
}

it('puts a toast at the preferred position when that position is free', () => {
  expect(placed([])).toMatchObject({ left: 74, top: 748, cost: 0 })
})

it('puts a toast into the free gap nearest to the preferred position', () => {
  const rows = Array.from({ length: 14 }, (_, row) => control(0, row * 60))
  const withGap = rows.filter(({ box }) => ![120, 180, 360, 420].includes(box.top))
  expect(placed(withGap)).toMatchObject({ cost: 0 })
  expect(placed(withGap).top).toBeGreaterThan(240)
})

it('covers an unused control rather than the control in use when no position is free', () => {
  const wall = [control(0, 0, { width: 390, height: 844 })].map((box) => ({ ...box, weight: 1 }))
  const inUse = { ...control(0, 700, { width: 390, height: 144 }), weight: 100_000 }
  const { box, cost } = placed([...wall, inUse])
  expect(cost).toBeGreaterThanOrEqual(CONTROL_COST)
  expect(overlapCost(box, [inUse])).toBe(0)
})

it('keeps a toast inside a window that is hardly larger than the toast', () => {
  const position = findPosition(TOAST, { ...WINDOW, width: 320, height: 90, obstacles: [], preferred })
  expect(position.left).toBeGreaterThanOrEqual(0)
  expect(position.top).toBeGreaterThanOrEqual(0)
})

it('keeps a toast above the on-screen keyboard in a scrolled window', () => {
  const seen = { left: 0, top: 200, width: 390, height: 400 }
  const position = findPosition(TOAST, { ...seen, obstacles: [], preferred: { left: 390, top: 844 } })
  expect(position.top).toBeGreaterThanOrEqual(200)
  expect(position.top + TOAST.height).toBeLessThanOrEqual(600)
})
