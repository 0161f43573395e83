import { QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import { ProveAgain } from '#app/sign-in/prove-again.tsx'
import { renderHtml } from '#test/render-page.tsx'
import { CustomerContext } from './account-gate.tsx'
import Details from './details/route.tsx'
import OwnOrders from './orders/route.tsx'
import { EmailSection } from './security/email-section.tsx'
import { MailboxConfirmation } from './security/mailbox-confirmation.tsx'

const thandi = { id: 'thandi', email: 'thandi@example.com', fullName: 'Thandi Mokoena' }
const profile = { full_name: 'Thandi Mokoena', phone: '', address: '', city: '', state: '', zip_code: '' }
const authenticator = { id: 'f1', status: 'verified', factor_type: 'totp' }

/** Returns the HTML of a part whose query has loaded `data` once, or nothing yet, and has failed since. */
function afterFailedReload(
  part: ReactElement,
  queryKey: QueryKey,
  { data, path }: { data?: unknown; path?: string } = {},
): string {
  const queries = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } })
  const query = queries.getQueryCache().build(queries, { queryKey })
  query.setState({ data, status: 'error', error: new Error('no network') })
  return renderHtml(
    <SessionProvider publishableKey="">
      <CustomerContext value={thandi}>{part}</CustomerContext>
    </SessionProvider>,
    { queries, path },
  )
}

it('keeps the form with the customer’s details when loading them again fails', () => {
  const html = afterFailedReload(<Details />, ['own-profile', thandi.id], { data: profile })

  expect(html).toContain('value="Thandi Mokoena"')
  expect(html).toContain('we couldn’t reload it')
})

it('keeps what it says about the confirmation link when checking the address again fails', () => {
  const html = afterFailedReload(<MailboxConfirmation />, ['verified-mailbox', thandi.id, thandi.email], {
    data: false,
  })

  expect(html).toContain('Confirm my e-mail')
  expect(html).toContain('we couldn’t reload it')
})

it('keeps a half typed code of the second step when loading the factors again fails', () => {
  const html = afterFailedReload(<ProveAgain onProven={() => undefined} />, ['factors', undefined], {
    data: [authenticator],
  })

  expect(html).toContain('one-time-code')
})

it('says that a pending change of the e-mail address could not be loaded, because none would be shown', () => {
  expect(afterFailedReload(<EmailSection />, ['pending-email', thandi.id])).toContain(
    'We could not check whether a change is pending.',
  )
})

it('counts no pages of orders that could not be loaded', () => {
  const html = afterFailedReload(<OwnOrders />, ['own-orders', thandi.id, 2], { path: '/account?page=2' })

  expect(html).toContain('Your orders could not be loaded.')
  expect(html).not.toContain('Page 2')
})
