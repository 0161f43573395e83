import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

interface Retry {
  /** Cart and promo code have loaded, and the cart's prices have been checked. */
  isReady: boolean
  totalCents: number
  /** Places the order. Never rejects. */
  submit: () => Promise<void>
  /** The total has changed: the buyer must review it first. */
  onChanged: () => void
}

/** Returns the total of the cancelled order that this visit retries; `null` for an ordinary visit. */
export function usePayAgainTotal(): number | null {
  const { state } = useLocation()
  const [totalCents] = useState(() => totalFrom(state))
  return totalCents
}

/**
 * Submits the form once when the buyer retries a cancelled payment: they have just reviewed the order and accepted the terms.
 * Removes the link state first, so that Back and reload show the form instead of ordering again.
 * Returns whether that is still to happen; the form must not be sent meanwhile.
 */
export function usePayAgain(expectedCents: number | null, { isReady, totalCents, submit, onChanged }: Retry) {
  const navigate = useNavigate()
  const isSubmitted = useRef(false)
  const [isPending, setPending] = useState(expectedCents !== null)

  useEffect(() => {
    if (expectedCents === null || !isReady || isSubmitted.current) return
    isSubmitted.current = true
    void Promise.resolve(navigate('/checkout', { replace: true, preventScrollReset: true }))
      .then(totalCents === expectedCents ? submit : onChanged)
      .then(() => setPending(false))
  }, [expectedCents, isReady, totalCents, navigate, submit, onChanged])

  return isPending
}

function totalFrom(state: unknown): number | null {
  const isRetry = typeof state === 'object' && state !== null && 'payAgainTotalCents' in state
  return isRetry && typeof state.payAgainTotalCents === 'number' ? state.payAgainTotalCents : null
}
