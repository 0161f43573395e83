import { obstaclesAround } from './toast-obstacles.ts'
import {
  CONTROL_COST,
  LABEL_COST,
  TEXT_COST,
  findPosition,
  overlapCost,
  type ToastPosition,
  type ToastArea,
} from './toast-position.ts'

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
export function positionToasts(region: HTMLElement): void {
  const dialog = region.closest('dialog')
  if (dialog && isSliding(dialog)) return
  const room = viewportAround(region, dialog)
  const harm = currentCost(region, room)
  if (harm < TEXT_COST) return void region.toggleAttribute('data-over', false)
  const place = bestPosition(region, room, dialog ? TEXT_COST : LABEL_COST)
  if (place.harm < harm) Object.assign(region.style, { left: `${place.left}px`, top: `${place.top}px` })
  region.toggleAttribute('data-over', Math.min(place.harm, harm) >= CONTROL_COST)
}

function viewportAround(region: HTMLElement, dialog: HTMLElement | null): ToastArea {
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
function currentCost(region: HTMLElement, room: ToastArea): number {
  const { left, top, right, bottom } = region.getBoundingClientRect()
  const isAcross = left >= room.left && right <= room.left + room.width
  const isDown = top >= room.top && bottom <= room.top + room.height
  return region.style.left && isAcross && isDown
    ? overlapCost({ left, top, right, bottom }, room.obstacles)
    : Infinity
}

function bestPosition(region: HTMLElement, room: ToastArea, tolerated: number): ToastPosition {
  const place = findPosition(region.getBoundingClientRect(), room)
  if (place.harm < tolerated || region.hasAttribute('data-compact')) return place
  region.toggleAttribute('data-compact', true)
  return findPosition(region.getBoundingClientRect(), room)
}

/** Whether it is still on its way in, so that its box is not yet where it will stand. */
function isSliding(dialog: HTMLElement): boolean {
  return dialog
    .getAnimations()
    .some((running) => running instanceof CSSTransition && running.transitionProperty === 'translate')
}

/** Keeps toasts that are in use where they are, as far as the window shows all of them: spread out they are taller. */
export function keepInViewport(region: HTMLElement): void {
  const { top, bottom } = region.getBoundingClientRect()
  const area = visibleArea()
  const over = bottom - (area.top + area.height)
  if (over > 0) region.style.top = `${Math.max(area.top, top - over)}px`
}
