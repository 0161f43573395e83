import { obstaclesAround } from './toast-obstacles.ts'
import { ANY_CONTROL, findPlace, harmOf } from './toast-place.ts'

const NARROW_PX = 480
const BELOW_HEADER_PX = 76

/** Moves the toasts to where they cover no control, unless they stand in such a place. Where none is free, presses go through them. */
export function settleToasts(region: HTMLElement): void {
  const obstacles = obstaclesAround(region)
  const { left, top, right, bottom, width, height } = region.getBoundingClientRect()
  const isFree = harmOf({ left, top, right, bottom }, obstacles) < ANY_CONTROL
  const isInside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth
  if (region.style.left && isFree && isInside) {
    region.toggleAttribute('data-over', false)
    return
  }
  const room = { width: document.documentElement.clientWidth, height: innerHeight, obstacles }
  const preferred = { left: room.width, top: room.width > NARROW_PX ? room.height : BELOW_HEADER_PX }
  const place = findPlace({ width, height }, { ...room, preferred })
  Object.assign(region.style, { left: `${place.left}px`, top: `${place.top}px` })
  region.toggleAttribute('data-over', place.isOver)
}
