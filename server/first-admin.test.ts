import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { createFirstAdmin } from './admins.ts'
import { describeFirstAdmin, saveFirstAdmin } from './first-admin.ts'

let folder: string
let shop: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-admin-'))
  shop = await shopDatabase()
})
afterEach(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

const owner = () => shop.database.owner
const create = (dataDir = folder) =>
  createFirstAdmin(owner(), 'admin@shop.example', (admin) => saveFirstAdmin(dataDir, admin))
const describe = () => describeFirstAdmin(owner(), folder)

it('keeps the first admin’s password in a file that other users cannot read, even over a file that they could', async () => {
  await writeFile(join(folder, 'first-admin.txt'), 'old', { mode: 0o644 })

  const admin = await create()

  const file = join(folder, 'first-admin.txt')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(file, 'utf8')).toBe(`e-mail    admin@shop.example\npassword  ${admin?.password}\n`)
})

it('says where the password is at each start, without repeating it', async () => {
  const admin = await create()

  const line = await describe()

  expect(line).toContain(join(folder, 'first-admin.txt'))
  expect(line).not.toContain(admin?.password)
  expect(await describe()).toBe(line)
})

it('removes the file at the start after the password was changed', async () => {
  await create()
  await owner().query(
    `update auth.users set encrypted_password =
      (select encrypted_password from auth.users where email <> 'admin@shop.example' limit 1)`,
  )

  expect(await describe()).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

it('removes the file when the account has another address', async () => {
  await create()
  await owner().query(`update auth.users set email = 'owner@shop.example' where email = 'admin@shop.example'`)

  expect(await describe()).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

it('creates no admin when the password cannot be written', async () => {
  await expect(create(join(folder, 'none'))).rejects.toThrow('ENOENT')

  const { rowCount } = await owner().query(`select from auth.users where email = 'admin@shop.example'`)
  expect(rowCount).toBe(0)
})

it('creates the first admin at the next start when the process died between the account and its role', async () => {
  await owner().query(`
    create function public.die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger die before insert on public.user_roles for each row when (new.role = 'admin') execute function public.die()`)
  await expect(create()).rejects.toThrow('terminat')
  await owner().query('drop function public.die cascade')

  const admin = await create()

  const { rows } = await owner().query(
    `select email from public.user_roles r join auth.users u on u.id = r.user_id where r.role = 'admin'`,
  )
  expect(rows).toEqual([{ email: 'admin@shop.example' }])
  expect(await readFile(join(folder, 'first-admin.txt'), 'utf8')).toContain(admin?.password)
})
