import { expect, it } from 'vitest'
import { CONTROL_COST, findPosition, overlapCost, type Obstacle } from './toast-position.ts'

const TOAST = { width: 300, height: 80 }
const WINDOW = { left: 0, top: 0, width: 390, height: 844 }
const preferred = { left: WINDOW.width, top: WINDOW.height }

function control(left: number, top: number, size = { width: 390, height: 48 }): Obstacle {
  return { box: { left, top, right: left + size.width, bottom: top + size.height }, weight: 100 }
}

function placed(obstacles: Obstacle[]) {
  const place = findPosition(TOAST, { ...WINDOW, obstacles, preferred })
  const box = { ...place, right: place.left + TOAST.width, bottom: place.top + TOAST.height }
  return { ...place, box, harm: overlapCost(box, obstacles) }
}

it('stands at the preferred place while that is free', () => {
  expect(placed([])).toMatchObject({ left: 74, top: 748, harm: 0 })
})

it('stands in the gap between the controls, the nearest to the preferred place', () => {
  const rows = Array.from({ length: 14 }, (_, row) => control(0, row * 60))
  const withGap = rows.filter(({ box }) => ![120, 180, 360, 420].includes(box.top))
  expect(placed(withGap)).toMatchObject({ harm: 0 })
  expect(placed(withGap).top).toBeGreaterThan(240)
})

it('covers a control of less weight rather than the one in use, and reports the harm, where no place is free', () => {
  const wall = [control(0, 0, { width: 390, height: 844 })].map((box) => ({ ...box, weight: 1 }))
  const inUse = { ...control(0, 700, { width: 390, height: 144 }), weight: 100_000 }
  const { box, harm } = placed([...wall, inUse])
  expect(harm).toBeGreaterThanOrEqual(CONTROL_COST)
  expect(overlapCost(box, [inUse])).toBe(0)
})

it('stays inside a window that is hardly larger than the toast', () => {
  const place = findPosition(TOAST, { ...WINDOW, width: 320, height: 90, obstacles: [], preferred })
  expect(place.left).toBeGreaterThanOrEqual(0)
  expect(place.top).toBeGreaterThanOrEqual(0)
})

it('stands above an on-screen keyboard, in the part of a scrolled window that is seen', () => {
  const seen = { left: 0, top: 200, width: 390, height: 400 }
  const place = findPosition(TOAST, { ...seen, obstacles: [], preferred: { left: 390, top: 844 } })
  expect(place.top).toBeGreaterThanOrEqual(200)
  expect(place.top + TOAST.height).toBeLessThanOrEqual(600)
})
