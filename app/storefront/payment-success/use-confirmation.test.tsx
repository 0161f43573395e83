import { QueryClient } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import { useConfirmation } from './use-confirmation.ts'

it('polls again with the order that it knows when the buyer checks again', () => {
  const queries = new QueryClient()
  // The key of a session that is still being read.
  const queryKey = ['confirmation', null] as const
  const order = { status: 'pending_payment' }
  queries.setQueryData(queryKey, { order, count: 11 })
  const rendered: ReturnType<typeof useConfirmation>[] = []
  const Page = () => void rendered.push(useConfirmation('1', queries))
  renderToStaticMarkup(
    <SessionProvider publishableKey="">
      <Page />
    </SessionProvider>,
  )

  rendered.at(-1)?.checkAgain()

  expect(queries.getQueryData(queryKey)).toEqual({ order, count: 0 })
})
