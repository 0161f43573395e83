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

/** The visual viewport: an on-screen keyboard and zooming make it smaller than the window. */
function visibleArea() {
  const { clientWidth } = document.documentElement
  const { offsetLeft = 0, offsetTop = 0, width = clientWidth, height = innerHeight } = visualViewport ?? {}
  return { left: offsetLeft, top: offsetTop, width: Math.min(width, clientWidth), height }
}

/**
 * Moves the toasts to a position where they cover no control and, if possible, no text. They keep their position while none is
 * better, and while one of them is pressed: a finger presses without moving first. Without a free position they become compact; if
 * that is not enough, they let pointer events through (`data-over`).
 */
export function positionToasts(region: HTMLElement): void {
  if (region.querySelector(':active')) return
  const dialog = region.closest('dialog')
  if (dialog && isSliding(dialog)) return
  const area = areaFor(region, dialog)
  const cost = currentCost(region, area)
  if (cost < TEXT_COST) return void region.toggleAttribute('data-over', false)
  const best = bestPosition(region, area, dialog ? TEXT_COST : LABEL_COST)
  if (best.cost < cost)
    Object.assign(region.style, { inset: 'auto', left: `${best.left}px`, top: `${best.top}px` })
  region.toggleAttribute('data-over', Math.min(best.cost, cost) >= CONTROL_COST)
}

function areaFor(region: HTMLElement, dialog: HTMLElement | null): ToastArea {
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

/** Infinity for toasts that have no position yet or are outside the viewport. */
function currentCost(region: HTMLElement, area: ToastArea): number {
  const { left, top, right, bottom } = region.getBoundingClientRect()
  const fitsAcross = left >= area.left && right <= area.left + area.width
  const fitsDown = top >= area.top && bottom <= area.top + area.height
  return region.style.left && fitsAcross && fitsDown
    ? overlapCost({ left, top, right, bottom }, area.obstacles)
    : Infinity
}

function bestPosition(region: HTMLElement, area: ToastArea, tolerated: number): ToastPosition {
  const position = findPosition(region.getBoundingClientRect(), area)
  if (position.cost < tolerated || region.hasAttribute('data-compact')) return position
  region.toggleAttribute('data-compact', true)
  return findPosition(region.getBoundingClientRect(), area)
}

/** Whether the dialog is still sliding in, so that its box is not final. */
function isSliding(dialog: HTMLElement): boolean {
  return dialog
    .getAnimations()
    .some((running) => running instanceof CSSTransition && running.transitionProperty === 'translate')
}

/** Moves toasts in use only as far as needed to stay in the viewport: an expanded stack is taller. */
export function keepInViewport(region: HTMLElement): void {
  const { top, bottom } = region.getBoundingClientRect()
  const area = visibleArea()
  const over = bottom - (area.top + area.height)
  if (over > 0) region.style.top = `${Math.max(area.top, top - over)}px`
}
