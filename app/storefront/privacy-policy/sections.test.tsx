import { expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import CookiePolicy from '../cookie-policy/route.tsx'
import PrivacyPolicy from './route.tsx'

// The periods are those of docs/operations.md, "What is kept how long".
it('says in the privacy policy what the shop keeps beside orders and accounts, and how long', () => {
  const text = renderText(<PrivacyPolicy />)

  expect(text).toContain('Signing in When, from which network address and with which browser')
  expect(text).toContain('Sign-ins One year; network addresses from which you signed in before, 180 days')
  expect(text).toContain('Messages Three years')
  expect(text).toContain('Stock alerts 90 days after our e-mail or your cancellation; two years')
  expect(text).toContain('Discount code Five years')
})

it('says in the cookie policy that opened pages are stored to show them without a signal', () => {
  expect(renderText(<CookiePolicy />)).toContain('Pages you have opened, up to 60')
})
