import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { type RunningShop, startShop } from '#test/running-shop.ts'

const project = resolve(import.meta.dirname, '../..')
/** Files that the process needs; the test edits a copy, so that a killed test leaves no change behind. */
const FOLDERS = [
  'app',
  'assets',
  'domain',
  'emails',
  'packages',
  'payments',
  'public',
  'scripts',
  'server',
  'supabase',
]
const FILES = [
  'package.json',
  'react-router.config.ts',
  'server.ts',
  'shop.config.ts',
  'tsconfig.json',
  'vite.config.ts',
]

let folder: string
let shop: RunningShop

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-development-'))
  await Promise.all(
    [...FOLDERS, ...FILES].map((name) => cp(join(project, name), join(folder, name), { recursive: true })),
  )
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  shop = await startShop({}, { folder, args: ['--dev'] })
})
test.afterAll(async () => {
  await shop.stop()
  await rm(folder, { recursive: true, force: true })
})

test('the development server serves pages, admin lists and fresh edits', { tag: '@long' }, async () => {
  expect(await pageAt('/faq')).toContain('Frequently Asked Questions')

  expect(await pageAt('/admin/products')).toContain('<html')
  const { publishable } = await shop.keys()
  const client = createClient<ShopDatabase>(shop.url, publishable, { auth: { persistSession: false } })
  await client.auth.signInWithPassword(shop.admin ?? { email: '', password: '' })
  const products = await client.from('products').select('name')
  expect(products).toMatchObject({ error: null, status: 200 })
  expect(products.data).not.toEqual([])

  const file = join(folder, 'app/storefront/faq/route.tsx')
  const source = await readFile(file, 'utf8')
  await writeFile(file, source.replaceAll('Frequently Asked Questions', 'Questions Anglers Ask'))

  await expect.poll(() => pageAt('/faq')).toContain('Questions Anglers Ask')
})

async function pageAt(path: string): Promise<string> {
  const answer = await fetch(`${shop.url}${path}`)
  return answer.ok ? answer.text() : `answered ${answer.status}`
}
