import { useEffect, useState, type RefObject } from 'react'

type Edge = 'bottom' | 'top' | 'neither'

const EDGES = ['bottom', 'top'] as const

/** What must never be covered. */
const BUY_BUTTONS = '[data-buy]'

/** The edge of the screen where the element lies over no button that buys, if there is one; it stays where it is as long as it can. */
export function useFreeEdge(element: RefObject<HTMLElement | null>): Edge {
  const [edge, setEdge] = useState<Edge>('bottom')

  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      if (element.current) setEdge((current) => freeEdge(element.current, current))
    }
    const lookSoon = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', lookSoon, { passive: true })
    addEventListener('resize', lookSoon)
    // A bar that slides in, or another page, moves buttons without either.
    document.addEventListener('transitionend', lookSoon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', lookSoon)
      removeEventListener('resize', lookSoon)
      document.removeEventListener('transitionend', lookSoon)
    }
  }, [element])

  return edge
}

function freeEdge(element: HTMLElement | null, current: Edge): Edge {
  if (!element) return current
  const { offsetHeight, offsetTop } = element
  // As far from one edge as from the other.
  const height = offsetHeight + (current === 'top' ? offsetTop : innerHeight - offsetTop - offsetHeight)
  const zones = { top: [0, height], bottom: [innerHeight - height, innerHeight] } as const
  if (current !== 'neither' && !isTaken(zones[current])) return current
  return EDGES.find((edge) => !isTaken(zones[edge])) ?? 'neither'
}

function isTaken([from, to]: readonly [number, number]): boolean {
  return [...document.querySelectorAll(BUY_BUTTONS)].some((button) => {
    const { top, bottom } = button.getBoundingClientRect()
    return bottom > from && top < to && button.checkVisibility({ visibilityProperty: true })
  })
}
