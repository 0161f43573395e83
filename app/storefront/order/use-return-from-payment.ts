import { useWindowEvent } from '#app/ui/use-window-event.ts'

/** Calls back when Back restores the page from the back/forward cache, still busy with leaving for the payment. */
export function useReturnFromPayment(onReturn: () => void) {
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) onReturn()
  })
}
