import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'

const SETTLED_AFTER_MS = 120
const WHEEL_PAUSE_MS = 350
const TAKES_OVER = ['pointerdown', 'wheel'] as const

interface SnapCarousel {
  /** The element that scrolls; each child is one slide as wide as itself. */
  track: RefObject<HTMLDivElement | null>
  index: number
  goTo: (index: number) => void
}

/**
 * A row of pictures that the browser scrolls and snaps; fingers, keys and buttons all end in the same place.
 *
 * `onSettle` is told where the row came to rest, not what it passed: a slow device may pause in the middle of a glide.
 */
export function useSnapCarousel(slides: number, onSettle?: (index: number) => void): SnapCarousel {
  const track = useRef<HTMLDivElement>(null)
  const [index, setIndex] = useState(0)
  const settle = useRef(onSettle)
  /** Where a glide of ours leads; null once it is there, or when the visitor has taken over. */
  const heading = useRef<number | null>(null)
  /** Where the row came to rest last. */
  const resting = useRef(0)
  useEffect(() => {
    settle.current = onSettle
  })

  const goTo = useCallback(
    (next: number) => {
      const element = track.current
      if (!element) return
      const target = Math.min(Math.max(next, 0), slides - 1)
      heading.current = target
      element.scrollTo({ left: target * element.clientWidth, behavior: smoothness() })
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
        if (heading.current !== null && heading.current !== reached) {
          element.scrollTo({ left: heading.current * element.clientWidth, behavior: 'instant' })
          return
        }
        heading.current = null
        resting.current = reached
        setIndex(reached)
        settle.current?.(reached)
      }, SETTLED_AFTER_MS)
    }
    const takeOver = () => {
      heading.current = null
    }
    let width = element.clientWidth
    // Slides of another width move the row without a swipe: keep the same slide in sight, so that no other colour is chosen.
    const resizes = new ResizeObserver(() => {
      if (element.clientWidth === width) return
      width = element.clientWidth
      clearTimeout(rest)
      element.scrollTo({ left: (heading.current ?? resting.current) * width, behavior: 'instant' })
    })
    resizes.observe(element)
    // It may have been swiped before the page came alive.
    if (element.scrollLeft > 0) onScroll()
    element.addEventListener('scroll', onScroll, { passive: true })
    for (const touch of TAKES_OVER) element.addEventListener(touch, takeOver, { passive: true })
    return () => {
      clearTimeout(rest)
      resizes.disconnect()
      element.removeEventListener('scroll', onScroll)
      for (const touch of TAKES_OVER) element.removeEventListener(touch, takeOver)
    }
  }, [])

  useWheel(track, slides)
  return { track, index, goTo }
}

/**
 * Turns the mouse wheel over the row into steps from slide to slide.
 *
 * A page that is being scrolled past must not be caught by the row: the wheel belongs to it only after the pointer itself
 * has moved on it, and the page takes over again behind the last slide.
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
      element.scrollTo({ left: next * element.clientWidth, behavior: smoothness() })
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

function smoothness(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth'
}
