import { useEffect } from 'react'

/** An invalid field, or the problem of a part of a form that is no field. */
const PROBLEM = '[aria-invalid="true"], [data-problem]'

/**
 * After a save that fails validation, scrolls to the first problem of its form and focuses it, so that screen readers announce the
 * field with its error. Works for every form in the admin area, whether the form or the database finds the problem. Typing or
 * pressing elsewhere cancels it, because the focus must never leave a field in use.
 */
export function useInvalidFieldFocus(): void {
  useEffect(() => {
    let cancel = () => {}
    const watch = ({ target }: Event) => {
      cancel()
      if (target instanceof HTMLFormElement) cancel = focusFirstProblem(target)
    }
    document.addEventListener('submit', watch)
    return () => {
      cancel()
      document.removeEventListener('submit', watch)
    }
  }, [])
}

/** Waits for the problem, which comes with the next render or with the backend's answer. */
function focusFirstProblem(form: HTMLFormElement): () => void {
  const done = new AbortController()
  const look = () => {
    const field = form.querySelector<HTMLElement>(PROBLEM)
    if (!field) return
    done.abort()
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
  }
  const observer = new MutationObserver(look)
  observer.observe(form, { subtree: true, childList: true, attributeFilter: ['aria-invalid'] })
  const frame = requestAnimationFrame(look)
  done.signal.addEventListener('abort', () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
  })
  for (const event of ['input', 'pointerdown']) {
    document.addEventListener(event, () => done.abort(), { capture: true, signal: done.signal })
  }
  return () => done.abort()
}
