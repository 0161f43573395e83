import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useIsStillHere } from '#app/ui/use-is-still-here.ts'

interface Retry {
  /** Cart and promo code have loaded, and the cart's prices have been checked. */
  isReady: boolean
  /** Places the order if it equals the cancelled one. Never rejects. */
  submit: (cancelledId: string) => Promise<void>
}

/** Returns the id of the cancelled order that this visit retries; `null` for an ordinary visit. */
export function useCancelledOrderId(): string | null {
  const { state } = useLocation()
  const [orderId] = useState(() => orderFrom(state))
  return orderId
}

/**
 * Submits the form once when the buyer retries a cancelled payment: they have just reviewed the order and accepted the terms.
 * Removes the link state first, so that Back and reload show the form instead of ordering again. Orders nothing once the buyer has opened
 * another page.
 * Returns whether that is still to happen; the form must not be sent meanwhile.
 */
export function usePayAgain(cancelledId: string | null, { isReady, submit }: Retry) {
  const navigate = useNavigate()
  const isStillHere = useIsStillHere()
  const isSubmitted = useRef(false)
  const [isPending, setPending] = useState(cancelledId !== null)

  useEffect(() => {
    if (cancelledId === null || !isReady || isSubmitted.current || !isStillHere()) return
    isSubmitted.current = true
    void Promise.resolve(navigate('/checkout', { replace: true, preventScrollReset: true }))
      .then(() => (isStillHere() ? submit(cancelledId) : undefined))
      .then(() => setPending(false))
  }, [cancelledId, isReady, isStillHere, navigate, submit])

  return isPending
}

function orderFrom(state: unknown): string | null {
  const isRetry = typeof state === 'object' && state !== null && 'payAgainOrderId' in state
  return isRetry && typeof state.payAgainOrderId === 'string' ? state.payAgainOrderId : null
}
