import { useRef, type PointerEvent } from 'react'

const SWIPE_PX = 40

/** Reports a horizontal swipe as one step: +1 for the next slide, −1 for the previous. */
export function useSwipe(onSwipe: (step: 1 | -1) => void) {
  const start = useRef<number | null>(null)
  const reset = () => {
    start.current = null
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      start.current = event.clientX
    },
    onPointerUp: (event: PointerEvent) => {
      const distance = start.current === null ? 0 : event.clientX - start.current
      reset()
      if (Math.abs(distance) >= SWIPE_PX) onSwipe(distance < 0 ? 1 : -1)
    },
    onPointerCancel: reset,
  }
}
