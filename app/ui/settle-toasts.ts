import { obstaclesAround } from './toast-obstacles.ts'
import { ANY_CONTROL, ANY_LABEL, ANY_WORDS, findPlace, harmOf, type Place, type Room } from './toast-place.ts'

const NARROW_PX = 480
const BELOW_HEADER_PX = 76

/** The part of the window that is seen: an on-screen keyboard and zooming leave less than the whole. */
function visibleArea() {
  const { clientWidth } = document.documentElement
  const { offsetLeft = 0, offsetTop = 0, width = clientWidth, height = innerHeight } = visualViewport ?? {}
  return { left: offsetLeft, top: offsetTop, width: Math.min(width, clientWidth), height }
}

/**
 * Moves the toasts to where they cover no control, and no words if there is such a place; they stay where they are while no place is
 * better. Where no place is free they become smaller, and stay so; where even that finds no place, presses go through them.
 */
export function settleToasts(region: HTMLElement): void {
  const dialog = region.closest('dialog')
  if (dialog && isSliding(dialog)) return
  const room = roomAround(region, dialog)
  const harm = harmNow(region, room)
  if (harm < ANY_WORDS) return void region.toggleAttribute('data-over', false)
  const place = bestPlace(region, room, dialog ? ANY_WORDS : ANY_LABEL)
  if (place.harm < harm) Object.assign(region.style, { left: `${place.left}px`, top: `${place.top}px` })
  region.toggleAttribute('data-over', Math.min(place.harm, harm) >= ANY_CONTROL)
}

function roomAround(region: HTMLElement, dialog: HTMLElement | null): Room {
  const area = visibleArea()
  const isWide = area.width > NARROW_PX
  return {
    ...area,
    obstacles: obstaclesAround(region),
    beside: dialog?.getBoundingClientRect(),
    preferred: {
      left: area.left + area.width,
      top: isWide ? area.top + area.height : area.top + BELOW_HEADER_PX,
    },
  }
}

/** Infinity for toasts that have no place yet, or one that is not in sight. */
function harmNow(region: HTMLElement, room: Room): number {
  const { left, top, right, bottom } = region.getBoundingClientRect()
  const isAcross = left >= room.left && right <= room.left + room.width
  const isDown = top >= room.top && bottom <= room.top + room.height
  return region.style.left && isAcross && isDown
    ? harmOf({ left, top, right, bottom }, room.obstacles)
    : Infinity
}

function bestPlace(region: HTMLElement, room: Room, tolerated: number): Place {
  const place = findPlace(region.getBoundingClientRect(), room)
  if (place.harm < tolerated || region.hasAttribute('data-compact')) return place
  region.toggleAttribute('data-compact', true)
  return findPlace(region.getBoundingClientRect(), room)
}

/** Whether it is still on its way in, so that its box is not yet where it will stand. */
function isSliding(dialog: HTMLElement): boolean {
  return dialog
    .getAnimations()
    .some((running) => running instanceof CSSTransition && running.transitionProperty === 'translate')
}

/** Keeps toasts that are in use where they are, as far as the window shows all of them: spread out they are taller. */
export function keepInSight(region: HTMLElement): void {
  const { top, bottom } = region.getBoundingClientRect()
  const area = visibleArea()
  const over = bottom - (area.top + area.height)
  if (over > 0) region.style.top = `${Math.max(area.top, top - over)}px`
}
