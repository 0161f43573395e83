// oxlint-disable no-restricted-globals -- inlined source cannot import localStore()
/**
 * Reserves the cookie banner's space before the first paint unless the visitor has answered, to avoid a layout shift. Blocked storage
 * counts as no answer. The page inlines this function's source, so it must not use outer names or contain comments.
 */
export function reserveSpace(): void {
  let isAnswered = false
  try {
    isAnswered = JSON.parse(localStorage.getItem('cookie_consent') ?? '{}').hasResponded
  } catch {}
  if (!isAnswered) document.documentElement.dataset.cookieQuestion = ''
}

export function releaseSpace(): void {
  delete document.documentElement.dataset.cookieQuestion
}
