/** While `<html>` has it, the storefront's pages keep the space of the question about cookies. */
const ATTRIBUTE = 'data-cookie-question'

/**
 * Reserves the space of the question about cookies before the first paint, unless it was answered. The page carries this function's
 * source inline, so it uses nothing from outside itself.
 */
export function reserveSpace(): void {
  let hasResponded = false
  try {
    hasResponded = JSON.parse(localStorage.getItem('cookie_consent') ?? '{}').hasResponded === true
  } catch {
    // Storage is blocked, or another program's value stands there: the question was not answered.
  }
  if (!hasResponded) document.documentElement.setAttribute('data-cookie-question', '')
}

export function releaseSpace(): void {
  document.documentElement.removeAttribute(ATTRIBUTE)
}
