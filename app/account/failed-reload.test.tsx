import { QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import { ProveAgain } from '#app/sign-in/prove-again.tsx'
import { renderHtml } from '#test/render-page.tsx'
import { CustomerContext } from './account-gate.tsx'
import Details from './details/route.tsx'
import { MailboxConfirmation } from './security/mailbox-confirmation.tsx'

const thandi = { id: 'thandi', email: 'thandi@example.com', fullName: 'Thandi Mokoena' }
const profile = { full_name: 'Thandi Mokoena', phone: '', address: '', city: '', state: '', zip_code: '' }
const authenticator = { id: 'f1', status: 'verified', factor_type: 'totp' }

/** Returns the HTML of a part whose query has loaded `data` once and has failed since. */
function afterFailedReload(part: ReactElement, queryKey: QueryKey, data: unknown): string {
  const queries = new QueryClient()
  queries.setQueryData(queryKey, data)
  queries
    .getQueryCache()
    .find({ queryKey })
    ?.setState({ status: 'error', error: new Error('no network') })
  return renderHtml(
    <SessionProvider publishableKey="">
      <CustomerContext value={thandi}>{part}</CustomerContext>
    </SessionProvider>,
    { queries },
  )
}

it('keeps the form with the customer’s details when loading them again fails', () => {
  const html = afterFailedReload(<Details />, ['own-profile', thandi.id], profile)

  expect(html).toContain('value="Thandi Mokoena"')
  expect(html).toContain('we couldn’t reload it')
})

it('keeps what it says about the confirmation link when checking the address again fails', () => {
  const html = afterFailedReload(
    <MailboxConfirmation />,
    ['verified-mailbox', thandi.id, thandi.email],
    false,
  )

  expect(html).toContain('Confirm my e-mail')
  expect(html).toContain('we couldn’t reload it')
})

it('keeps a half typed code of the second step when loading the factors again fails', () => {
  const html = afterFailedReload(
    <ProveAgain onProven={() => undefined} />,
    ['factors', undefined],
    [authenticator],
  )

  expect(html).toContain('one-time-code')
})
