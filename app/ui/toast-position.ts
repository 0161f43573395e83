export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Obstacle {
  box: Box
  /** How bad it is to cover the box; see `WEIGHTS`. */
  weight: number
}

export interface ToastPosition {
  left: number
  top: number
  /** See `overlapCost`. */
  cost: number
}

/** The part of the window in which toasts may be placed. */
export interface ToastArea {
  left: number
  top: number
  width: number
  height: number
  obstacles: Obstacle[]
  /** An open dialog; positions close beside it are candidates too. */
  beside?: Box | undefined
  /** The position to use if everything is free. */
  preferred: { left: number; top: number }
}

const EDGE = 16
const STEP = 8
/** A position with a lower cost covers no control, at most its label. */
export const CONTROL_COST = 1
/** A position with a lower cost covers no label either. */
export const LABEL_COST = 0.02
/** A position with a lower cost covers no text either, at most an empty part of a dialog. */
export const TEXT_COST = LABEL_COST / 200
/** Gap between a toast and a control, in pixels, so that a finger does not hit the wrong one. */
const CLEARANCE = 4

/** Returns the position with the lowest cost; among equals, the one nearest to the preferred position. */
export function findPosition(toast: { width: number; height: number }, area: ToastArea): ToastPosition {
  const candidates = candidatePositions(toast, area).map(({ left, top }) => {
    const box = { left, top, right: left + toast.width, bottom: top + toast.height }
    const distance = Math.abs(left - area.preferred.left) + Math.abs(top - area.preferred.top)
    return { left, top, distance, cost: overlapCost(box, area.obstacles) }
  })
  const best = candidates.reduce((a, b) => ((b.cost - a.cost || b.distance - a.distance) < 0 ? b : a))
  return { left: best.left, top: best.top, cost: best.cost }
}

/** Returns the weighted sum of the obstacles that `box` covers; 0 for a free position. */
export function overlapCost(box: Box, obstacles: Obstacle[]): number {
  return obstacles.reduce((sum, { box: other, weight }) => {
    const width = Math.min(box.right, other.right) - Math.max(box.left, other.left) + CLEARANCE
    const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) + CLEARANCE
    if (width <= 0 || height <= 0) return sum
    return sum + weight * (1 + (width * height) / 1000)
  }, 0)
}

function candidatePositions(toast: { width: number; height: number }, area: ToastArea) {
  const furthest = {
    left: Math.max(0, area.width - toast.width - EDGE),
    top: Math.max(0, area.height - toast.height - EDGE),
  }
  const nearest = Math.min(EDGE, furthest.left)
  const lefts = [furthest.left, nearest, (nearest + furthest.left) / 2, ...leftsBeside(toast.width, area)]
  const first = Math.min(EDGE, furthest.top)
  const rows = Math.floor((furthest.top - first) / STEP)
  const tops = [furthest.top, ...Array.from({ length: rows + 1 }, (_, row) => first + row * STEP)]
  return lefts.flatMap((left) => tops.map((top) => ({ left: area.left + left, top: area.top + top })))
}

function leftsBeside(width: number, area: ToastArea): number[] {
  if (!area.beside) return []
  const lefts = [area.beside.left - width - EDGE, area.beside.right + EDGE].map((left) => left - area.left)
  return lefts.filter((left) => left >= EDGE && left + width + EDGE <= area.width)
}
