import { expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import Offline from './route.tsx'

it('does not tell a buyer who returns from PayFast without a signal that nothing was paid', () => {
  const text = renderText(<Offline />)

  expect(text).not.toContain('Nothing was ordered or paid')
  expect(text).toContain("If you've just paid, your payment stands. Please don't pay again.")
})
