import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What Try Again hands to the checkout as the state of its link. */
export interface PayAgain {
  /** The total of the order whose payment was cancelled. */
  payAgainTotalCents: number
}

interface Retry {
  /** Cart and promo code are known. */
  isReady: boolean
  totalCents: number
  /** Places the order. */
  submit: () => void
  /** The total has changed, so the buyer has to look first. */
  onChanged: () => void
}

/** The total of the cancelled order when this visit pays for it again; `null` for an ordinary visit. */
export function usePayAgainTotal(): number | null {
  const { state } = useLocation()
  const [totalCents] = useState(() => totalIn(state))
  return totalCents
}

/**
 * Places the order of a cancelled payment again, once, without another press: the buyer reviewed it and accepted the terms a
 * moment ago. The link's state is removed first, so that Back and reload show the form instead of ordering again.
 */
export function usePayAgain(wantedCents: number | null, { isReady, totalCents, submit, onChanged }: Retry) {
  const navigate = useNavigate()
  const isDone = useRef(false)

  useEffect(() => {
    if (wantedCents === null || !isReady || isDone.current) return
    isDone.current = true
    void Promise.resolve(navigate('/checkout', { replace: true, preventScrollReset: true })).then(
      totalCents === wantedCents ? submit : onChanged,
    )
  }, [wantedCents, isReady, totalCents, navigate, submit, onChanged])
}

function totalIn(state: unknown): number | null {
  const isRetry = typeof state === 'object' && state !== null && 'payAgainTotalCents' in state
  return isRetry && typeof state.payAgainTotalCents === 'number' ? state.payAgainTotalCents : null
}
