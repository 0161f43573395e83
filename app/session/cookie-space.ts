/**
 * Reserves the space of the question about cookies before the first paint, unless it was answered; a browser whose storage is blocked has
 * no answer. The page carries this function's source inline, so it uses nothing from outside itself and has no comments.
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
