import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useLatest } from './use-latest.ts'

const SETTLED_AFTER_MS = 120
const WHEEL_PAUSE_MS = 350
const USER_SCROLL_EVENTS = ['pointerdown', 'wheel'] as const

interface SnapCarousel {
  /** The element that scrolls; each child is one slide as wide as itself. */
  track: RefObject<HTMLDivElement | null>
  index: number
  goTo: (index: number) => void
}

/**
 * A carousel on native scrolling with scroll snap. `onSettle` receives the slide where scrolling ended, not those it passed: a slow
 * device may pause in the middle of a smooth scroll.
 */
export function useSnapCarousel(slides: number, onSettle?: (index: number) => void): SnapCarousel {
  const track = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState(0)
  const settle = useLatest(onSettle)
  /** The target slide of a programmatic scroll; null once it is reached or the visitor scrolls. */
  const target = useRef<number | null>(null)
  /** The slide where scrolling ended last. */
  const settled = useRef(0)

  const goTo = useCallback(
    (next: number) => {
      const element = track.current
      if (!element) return
      target.current = Math.min(Math.max(next, 0), slides - 1)
      element.scrollTo({ left: target.current * element.clientWidth, behavior: scrollBehavior() })
    },
    [slides],
  )

  useEffect(() => {
    const element = track.current
    if (!element) return
    let rest: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      clearTimeout(rest)
      rest = setTimeout(() => {
        const reached = Math.round(element.scrollLeft / element.clientWidth)
        if (target.current !== null && target.current !== reached) {
          element.scrollTo({ left: target.current * element.clientWidth, behavior: 'instant' })
          return
        }
        target.current = null
        settled.current = reached
        setIndex(reached)
        settle()?.(reached)
      }, SETTLED_AFTER_MS)
    }
    const cancelTarget = () => {
      target.current = null
    }
    let width = element.clientWidth
    // A resize scrolls the row without a swipe: restore the slide, otherwise another colour would be chosen.
    const resizes = new ResizeObserver(() => {
      if (element.clientWidth === width) return
      width = element.clientWidth
      clearTimeout(rest)
      element.scrollTo({ left: (target.current ?? settled.current) * width, behavior: 'instant' })
    })
    resizes.observe(element)
    // The visitor may have swiped before hydration.
    if (element.scrollLeft > 0) onScroll()
    element.addEventListener('scroll', onScroll, { passive: true })
    for (const type of USER_SCROLL_EVENTS) element.addEventListener(type, cancelTarget, { passive: true })
    return () => {
      clearTimeout(rest)
      resizes.disconnect()
      element.removeEventListener('scroll', onScroll)
      for (const type of USER_SCROLL_EVENTS) element.removeEventListener(type, cancelTarget)
    }
  }, [settle])

  useWheel(track, slides)
  return { track, index, goTo }
}

/**
 * Turns the mouse wheel over the row into steps from slide to slide. To avoid trapping someone who scrolls the page, the row handles
 * the wheel only after the pointer has moved on it, and the page scrolls on after the last slide.
 */
function useWheel(track: RefObject<HTMLDivElement | null>, slides: number) {
  useEffect(() => {
    const element = track.current
    if (!element) return
    const pointer = { x: -1, y: -1, isOnRow: false }
    let lastStep = 0

    const onMove = ({ clientX, clientY }: PointerEvent) => {
      if (clientX === pointer.x && clientY === pointer.y) return
      Object.assign(pointer, { x: clientX, y: clientY, isOnRow: true })
    }
    const leave = () => {
      pointer.isOnRow = false
    }
    const onWheel = (event: WheelEvent) => {
      const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY)
      if (isSideways || event.ctrlKey || !pointer.isOnRow) return
      const current = Math.round(element.scrollLeft / element.clientWidth)
      const isStepping = event.timeStamp - lastStep < WHEEL_PAUSE_MS
      const next = current + Math.sign(event.deltaY)
      if (!isStepping && (next < 0 || next >= slides)) return
      event.preventDefault()
      if (isStepping) return
      lastStep = event.timeStamp
      element.scrollTo({ left: next * element.clientWidth, behavior: scrollBehavior() })
    }

    element.addEventListener('pointermove', onMove, { passive: true })
    element.addEventListener('pointerleave', leave, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: false })
    window.addEventListener('scroll', leave, { passive: true })
    return () => {
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', leave)
      element.removeEventListener('wheel', onWheel)
      window.removeEventListener('scroll', leave)
    }
  }, [track, slides])
}

function scrollBehavior(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
}
