export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A control on the screen, and how bad it is to cover it. */
export interface Obstacle {
  box: Box
  weight: number
}

export interface ToastPosition {
  left: number
  top: number
  /** How bad it is to cover what stands there; see `overlapCost`. */
  harm: number
}

/** The part of the window in which the toast may stand. */
export interface ToastArea {
  left: number
  top: number
  width: number
  height: number
  obstacles: Obstacle[]
  /** An open dialog: close beside it is a place as well. */
  beside?: Box | undefined
  /** Where the toast stands best if everything is free. */
  preferred: { left: number; top: number }
}

const EDGE = 16
const STEP = 8
/** Covering less than this covers no control, at most the words beside one. */
export const CONTROL_COST = 1
/** Covering less than this covers no label either. */
export const LABEL_COST = 0.02
/** Covering less than this covers no words either, at most an empty part of a dialog. */
export const TEXT_COST = LABEL_COST / 200
/** Between a toast and a control, so that a finger does not meet the wrong one. */
const CLEARANCE = 4

/** The place in this room where a toast covers no control, the nearest to the preferred one; the least bad if none is free. */
export function findPosition(toast: { width: number; height: number }, room: ToastArea): ToastPosition {
  const candidates = candidatePlaces(toast, room).map(({ left, top }) => {
    const box = { left, top, right: left + toast.width, bottom: top + toast.height }
    const distance = Math.abs(left - room.preferred.left) + Math.abs(top - room.preferred.top)
    return { left, top, distance, harm: overlapCost(box, room.obstacles) }
  })
  const best = candidates.reduce((a, b) => ((b.harm - a.harm || b.distance - a.distance) < 0 ? b : a))
  return { left: best.left, top: best.top, harm: best.harm }
}

/** The sum over all controls of how bad it is that `box` covers them; 0 for a free place. */
export function overlapCost(box: Box, obstacles: Obstacle[]): number {
  return obstacles.reduce((sum, { box: other, weight }) => {
    const width = Math.min(box.right, other.right) - Math.max(box.left, other.left) + CLEARANCE
    const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) + CLEARANCE
    if (width <= 0 || height <= 0) return sum
    return sum + weight * (1 + (width * height) / 1000)
  }, 0)
}

function candidatePlaces(toast: { width: number; height: number }, room: ToastArea) {
  const furthest = {
    left: Math.max(0, room.width - toast.width - EDGE),
    top: Math.max(0, room.height - toast.height - EDGE),
  }
  const nearest = Math.min(EDGE, furthest.left)
  const lefts = [furthest.left, nearest, (nearest + furthest.left) / 2, ...leftsBeside(toast.width, room)]
  const first = Math.min(EDGE, furthest.top)
  const rows = Math.floor((furthest.top - first) / STEP)
  const tops = [furthest.top, ...Array.from({ length: rows + 1 }, (_, row) => first + row * STEP)]
  return lefts.flatMap((left) => tops.map((top) => ({ left: room.left + left, top: room.top + top })))
}

function leftsBeside(width: number, room: ToastArea): number[] {
  if (!room.beside) return []
  const lefts = [room.beside.left - width - EDGE, room.beside.right + EDGE].map((left) => left - room.left)
  return lefts.filter((left) => left >= EDGE && left + width + EDGE <= room.width)
}
