import { useLayoutEffect } from 'react'

/**
 * Gives the focus back after the form with the id was inert: to its first field with an error, otherwise to what had the focus before, or to
 * the element with the fallback's id if that is disabled by now.
 */
export function useFocusReturn(isInert: boolean, formId: string, fallbackId = '') {
  useLayoutEffect(() => {
    if (!isInert) return
    const before = document.activeElement
    return () => {
      // Some browsers leave the focus on an inert control.
      if (![document.body, before].includes(document.activeElement)) return
      let target = document.querySelector(`#${formId} [aria-invalid=true]`) ?? before
      if (target?.matches(':disabled')) target = document.getElementById(fallbackId)
      if (target instanceof HTMLElement) target.focus()
    }
  }, [isInert, formId, fallbackId])
}
