import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#test/database.ts'
import { databaseAt } from '#test/templates.ts'

const FILE = join(import.meta.dirname, '35_auth_mailbox_proofs.sql')

let test: TestDatabase
let superuser: Client
beforeAll(async () => {
  test = await bareDatabase()
  superuser = new Client({
    connectionString: databaseAt(inject('superuserUrl'), new URL(test.url).pathname.slice(1)),
  })
  await superuser.connect()
})
afterAll(async () => {
  await superuser.end()
  await test.close()
})

interface Account {
  email: string | null
  confirmedAfterMinutes?: number
  /** How a session of the account was opened. */
  method?: string
  isDeleted?: boolean
}

async function addAccount({ email, confirmedAfterMinutes, method, isDeleted = false }: Account) {
  const { rows } = await superuser.query<{ id: string }>(
    `insert into auth.users (id, email, created_at, email_confirmed_at, deleted_at)
     values (gen_random_uuid(), $1, now(), now() + make_interval(mins => $2), case when $3 then now() end) returning id`,
    [email, confirmedAfterMinutes ?? null, isDeleted],
  )
  const id = rows[0]?.id
  if (!method) return
  const session = await superuser.query<{ id: string }>(
    'insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id',
    [id],
  )
  await superuser.query(
    `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
     values (gen_random_uuid(), $1, now(), now(), $2)`,
    [session.rows[0]?.id, method],
  )
}

async function upgrade(): Promise<unknown[]> {
  await superuser.query(await readFile(FILE, 'utf8'))
  const { rows } = await superuser.query('select email, method from auth.mailbox_proofs order by email')
  return rows
}

it('proves the mailboxes of accounts that used a mailed link before proofs were recorded, and no others, once', async () => {
  await superuser.query('drop table auth.mailbox_proofs, auth.contested_sign_ups')
  await addAccount({ email: 'At-Once@example.com', confirmedAfterMinutes: 0, method: 'password' })
  await addAccount({ email: 'Confirmed-Later@example.com', confirmedAfterMinutes: 5 })
  await addAccount({ email: 'never-confirmed@example.com' })
  await addAccount({ email: 'recovered@example.com', confirmedAfterMinutes: 0, method: 'recovery' })
  await addAccount({ email: 'deleted@example.com', confirmedAfterMinutes: 5, isDeleted: true })
  await addAccount({ email: null, method: 'anonymous' })

  const proofs = await upgrade()

  expect(proofs).toEqual([
    { email: 'confirmed-later@example.com', method: 'earlier' },
    { email: 'recovered@example.com', method: 'earlier' },
  ])

  await addAccount({ email: 'new@example.com', confirmedAfterMinutes: 5 })
  expect(await upgrade()).toEqual(proofs)
})
