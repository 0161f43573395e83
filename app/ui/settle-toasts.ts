import { obstaclesAround } from './toast-obstacles.ts'
import { ANY_CONTROL, ANY_LABEL, findPlace, harmOf } from './toast-place.ts'

const NARROW_PX = 480
const BELOW_HEADER_PX = 76

/** The part of the window that is seen: an on-screen keyboard and zooming leave less than the whole. */
function visibleArea() {
  const { clientWidth } = document.documentElement
  const { offsetLeft = 0, offsetTop = 0, width = clientWidth, height = innerHeight } = visualViewport ?? {}
  return { left: offsetLeft, top: offsetTop, width: Math.min(width, clientWidth), height }
}

/**
 * Moves the toasts to where they cover no control, unless they stand in such a place. Where none is free they become smaller, and stay
 * so; where even that finds no place, presses go through them.
 */
export function settleToasts(region: HTMLElement): void {
  const obstacles = obstaclesAround(region)
  const area = visibleArea()
  const end = { left: area.left + area.width, top: area.top + area.height }
  const { left, top, right, bottom } = region.getBoundingClientRect()
  const isFree = harmOf({ left, top, right, bottom }, obstacles) < ANY_LABEL
  const isInside = top >= area.top && left >= area.left && bottom <= end.top && right <= end.left
  if (region.style.left && isFree && isInside) {
    region.toggleAttribute('data-over', false)
    return
  }
  const preferred = { left: end.left, top: area.width > NARROW_PX ? end.top : area.top + BELOW_HEADER_PX }
  const find = () => findPlace(region.getBoundingClientRect(), { ...area, obstacles, preferred })
  let place = find()
  if (place.harm >= ANY_LABEL && !region.hasAttribute('data-compact')) {
    region.toggleAttribute('data-compact', true)
    place = find()
  }
  Object.assign(region.style, { left: `${place.left}px`, top: `${place.top}px` })
  region.toggleAttribute('data-over', place.harm >= ANY_CONTROL)
}

/** Keeps toasts that are in use where they are, as far as the window shows all of them: spread out they are taller. */
export function keepInSight(region: HTMLElement): void {
  const { top, bottom } = region.getBoundingClientRect()
  const area = visibleArea()
  const over = bottom - (area.top + area.height)
  if (over > 0) region.style.top = `${Math.max(area.top, top - over)}px`
}
