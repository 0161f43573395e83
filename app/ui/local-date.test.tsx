import { expect, it } from 'vitest'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { LocalDate, LocalDateTime } from './local-date.tsx'

const lateEvening = '2026-11-21T22:30:00Z'

it('shows the day and time of South Africa, wherever the server is', () => {
  expect(renderText(<LocalDate at={lateEvening} />)).toBe('22 Nov 2026')
  expect(renderText(<LocalDateTime at={lateEvening} />)).toMatch(/^22 Nov,? 00:30$/)
  expect(renderHtml(<LocalDate at={lateEvening} />)).toMatch(/title="Sunday,? 22 November 2026 at 00:30"/)
})
