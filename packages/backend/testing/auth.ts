import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { Hono } from 'hono'

import { createAuth } from '#backend/auth/create-auth.ts'
import { type ClientKeys, loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import type { AuthMail, AuthText, SendMail, SendText } from '#backend/auth/mail.ts'
import { findRemoteAddress } from '#backend/http/edge.ts'
import type { Api } from '#backend/create-backend.ts'
import type { AuthSettingsInput } from '#backend/auth/settings.ts'
import { bareDatabase, type TestDatabase } from './database.ts'
import { type TestTransport, openTestTransport } from './transport.ts'

export const PUBLIC_URL = 'http://localhost:3000'

export interface TestAuth extends TestDatabase {
  keys: ClientKeys
  /** Sent mails, in order. */
  mails: AuthMail[]
  /** Sent text messages; empty without `hasPhones`. */
  texts: AuthText[]
  /** Calls the first process directly, without the client. */
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>
  client(key?: string): SupabaseClient
  /** The `fetch` of the clients. */
  clientFetch: TestTransport['fetch']
  /** A second process over the same database. */
  anotherProcess(settings?: AuthSettingsInput, sendMail?: SendMail): Api
}

/** Starts the auth service on its own database. */
export async function openAuth(settings?: AuthSettingsInput, { hasPhones = false } = {}): Promise<TestAuth> {
  const test = await bareDatabase()
  const { database } = test
  const keys = await loadClientKeys(database.owner)
  const mails: AuthMail[] = []
  const texts: AuthText[] = []

  const recordText: SendText = async (_client, text) => {
    texts.push(text)
  }
  const recordMail: SendMail = async (_client, mail) => {
    mails.push(mail)
  }

  function anotherProcess(ownSettings = settings, sendMail = recordMail): Api {
    const auth = createAuth({
      database,
      keys,
      publicUrl: PUBLIC_URL,
      settings: ownSettings,
      sendMail,
      sendText: hasPhones ? recordText : undefined,
      log: { error: () => undefined },
    })
    // A test names the caller's network address in X-Forwarded-For.
    const api: Api = new Hono()
    return api.use(findRemoteAddress({ trustProxy: 1 })).route('/auth/v1', auth)
  }

  const app = anotherProcess()
  const fetch: TestAuth['fetch'] = async (input, init) => app.fetch(new Request(input, init))
  const transport = openTestTransport((request) => app.fetch(request))
  return {
    ...test,
    keys,
    mails,
    texts,
    fetch,
    anotherProcess,
    clientFetch: transport.fetch,
    client: (key = keys.publishable) =>
      createClient(PUBLIC_URL, key, {
        global: { fetch: transport.fetch },
        auth: { persistSession: false, autoRefreshToken: false },
      }),
    async close() {
      await transport.close()
      await test.close()
    },
  }
}
