import { once } from 'node:events'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openRest, type TestRest } from './testing/open-rest.ts'

let rest: TestRest
let listener: Client
const notified: string[] = []

beforeAll(async () => {
  rest = await openRest()
  await rest.database.owner.query(`
    create function report(fails boolean default false) returns int language plpgsql security definer as $$
      begin
        perform realtime_feed.announce();
        perform realtime_feed.announce();
        if fails then raise exception 'not after all'; end if;
        return 1;
      end $$;
    create function stay_silent() returns int language plpgsql as $$ begin return 1; end $$;
    grant execute on function report(boolean), stay_silent() to anon;
    notify pgrst, 'reload schema'`)
  listener = new Client({ connectionString: rest.url })
  await listener.connect()
  listener.on('notification', ({ channel }) => notified.push(channel))
  await listener.query('listen realtime_feed')
})
afterAll(async () => {
  await listener.end()
  await rest.close()
})

const report = (body: object) => rest.request('/rpc/report', { method: 'POST', body: JSON.stringify(body) })
const staySilent = () => rest.request('/rpc/stay_silent', { method: 'POST' })

/** Returns the channels notified since the last call. PostgreSQL delivers notifications with the response to a query. */
async function takeNotified(): Promise<string[]> {
  await listener.query('select 1')
  return notified.splice(0)
}

it('sends a call’s notification once, before the response, and never with the next call', async () => {
  expect((await report({})).status).toBe(200)
  expect(await takeNotified()).toEqual(['realtime_feed'])

  expect((await staySilent()).status).toBe(200)
  expect(await takeNotified()).toEqual([])
})

it('sends no notification when a call is rolled back', async () => {
  expect((await report({ fails: true })).status).toBe(400)
  expect((await staySilent()).status).toBe(200)

  expect(await takeNotified()).toEqual([])
})

it('sends notifications at the commit when the setting is absent', async () => {
  const notification = once(listener, 'notification')
  await rest.database.owner.query('select report()')

  expect(await notification).toMatchObject([{ channel: 'realtime_feed' }])
})
