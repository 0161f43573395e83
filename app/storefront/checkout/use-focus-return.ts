import { useLayoutEffect } from 'react'
import { FORM_ID } from './draft.ts'

/** Gives the focus back after the form was inert: to the first field with an error, otherwise to what had the focus before. */
export function useFocusReturn(isInert: boolean) {
  useLayoutEffect(() => {
    if (!isInert) return
    const before = document.activeElement
    return () => {
      // Some browsers leave the focus on an inert control.
      if (![document.body, before].includes(document.activeElement)) return
      const target = document.querySelector(`#${FORM_ID} [aria-invalid=true]`) ?? before
      if (target instanceof HTMLElement) target.focus()
    }
  }, [isInert])
}
