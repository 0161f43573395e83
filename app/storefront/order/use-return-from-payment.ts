import { useEffect, useRef } from 'react'

/** The browser's Back may show the page as it was left, still on its way to the payment. */
export function useReturnFromPayment(letGo: () => void) {
  const latest = useRef(letGo)
  useEffect(() => {
    latest.current = letGo
  })
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) latest.current()
    }
    addEventListener('pageshow', onPageShow)
    return () => removeEventListener('pageshow', onPageShow)
  }, [])
}
