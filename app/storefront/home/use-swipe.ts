import { useRef, type PointerEvent } from 'react'

const SWIPE_PX = 40

/** Turns a sideways drag into one step: +1 to the next, −1 to the one before. */
export function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const start = useRef<number | null>(null)
  const forget = () => {
    start.current = null
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.clientX
    },
    onPointerUp: (event: PointerEvent) => {
      const distance = start.current === null ? 0 : event.clientX - start.current
      forget()
      if (Math.abs(distance) >= SWIPE_PX) onSwipe(distance < 0 ? 1 : -1)
    },
    onPointerCancel: forget,
  }
}
