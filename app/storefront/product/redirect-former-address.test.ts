import { createClient } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import type { ShopDatabase } from '#database'
import { redirectFormerAddress } from './redirect-former-address.server.ts'

/** Returns the response for an address about which the database knows this. */
function answerFor(former: object[], status = 200) {
  const fetch = () =>
    Promise.resolve(Response.json(status === 200 ? former : { message: 'down' }, { status }))
  const visitor = createClient<ShopDatabase>('http://shop.example', 'key', { global: { fetch } })
  return redirectFormerAddress(visitor, { slug: 'old', colour: 'red' })
}

it('redirects a former address for good, to the colour where there is one', async () => {
  const lure = await answerFor([{ slug: 'new', colour: null, is_gone: false, name: 'New' }])
  const colour = await answerFor([{ slug: 'new', colour: 'crimson', is_gone: false, name: 'New' }])

  const target = (answer: typeof lure) =>
    answer instanceof Response && [answer.status, answer.headers.get('location')]
  expect(target(lure)).toEqual([301, '/products/new'])
  expect(target(colour)).toEqual([301, '/products/new/crimson'])
})

it('tells a discontinued lure from an address that never existed', async () => {
  const gone = await answerFor([{ slug: 'new', colour: null, is_gone: true, name: 'Old Popper' }])

  expect(gone).toMatchObject({ data: { goneLure: 'Old Popper' }, init: { status: 410 } })
  expect(await answerFor([])).toMatchObject({ init: { status: 404 } })
})

it('does not call an address unknown when the database fails', async () => {
  await expect(answerFor([], 400)).rejects.toMatchObject({ message: 'down' })
})
