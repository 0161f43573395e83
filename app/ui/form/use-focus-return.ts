import { useLayoutEffect } from 'react'

/** Gives the focus back after the form with the id was inert: to its first field with an error, otherwise to what had the focus before. */
export function useFocusReturn(isInert: boolean, formId: string) {
  useLayoutEffect(() => {
    if (!isInert) return
    const before = document.activeElement
    return () => {
      // Some browsers leave the focus on an inert control.
      if (![document.body, before].includes(document.activeElement)) return
      const target = document.querySelector(`#${formId} [aria-invalid=true]`) ?? before
      if (target instanceof HTMLElement) target.focus()
    }
  }, [isInert, formId])
}
