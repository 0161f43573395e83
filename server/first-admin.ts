import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { z } from 'zod'
import { isPassword, selectRows } from '@saltfreak/backend'
import type { FirstAdmin } from './admins.ts'

const FILE = 'first-admin.txt'

/** Writes the sign-in to a file of the data folder that only this user can read: a printed password would stay in the journal. */
export async function saveFirstAdmin(dataDir: string, { email, password }: FirstAdmin): Promise<void> {
  const path = join(dataDir, FILE)
  // `mode` applies to new files only: a left-over file may be readable by others.
  await rm(path, { force: true })
  await writeFile(path, `e-mail    ${email}\npassword  ${password}\n`, {
    mode: 0o600,
    flag: 'wx',
    // The account is committed: a power cut must not lose its only password.
    flush: true,
  })
}

/**
 * Returns a line that says where the first admin's sign-in is, and null when there is none. Removes the file once its password no
 * longer opens the account.
 */
export async function describeFirstAdmin(owner: Pool, dataDir: string): Promise<string | null> {
  const path = join(dataDir, FILE)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  if (await isValid(owner, text)) {
    return `The first admin’s e-mail and password are in ${path}. Change the password: the next start then removes the file.`
  }
  await rm(path, { force: true })
  return null
}

const hashRow = z.object({ hash: z.string().nullable() })

async function isValid(owner: Pool, text: string): Promise<boolean> {
  const [, email, password] = /^e-mail +(\S+)\npassword +(\S+)$/m.exec(text) ?? []
  if (!email || !password) return false
  const [account] = await selectRows(owner, hashRow, [
    'select encrypted_password as hash from auth.users where email = lower($1)',
    email,
  ])
  return account ? isPassword(password, account.hash) : false
}
