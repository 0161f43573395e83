import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createServer } from 'vite'
import { packShop } from '#test/lived-in-shop/archive.ts'
import type { Figures } from '#test/lived-in-shop/figures.ts'

/**
 * `npm run release:dump -- <folder>`: runs a shop of this release until its records have every state, and writes its database
 * (`shop.tar.zst`) and the figures that an upgrade must preserve (`state.json`) to the folder.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Usage: npm run release:dump -- <folder>, for example supabase/releases/1.0.0')
const release = resolve(folder)
await mkdir(release, { recursive: true })
if ((await readdir(release)).length > 0)
  throw new Error(`${release} is not empty: a release is dumped only once`)

const data = await mkdtemp(join(tmpdir(), 'shop-release-'))
try {
  const state = await runShop(data)
  const bytes = await packShop(data, join(release, 'shop.tar.zst'))
  await writeFile(join(release, 'state.json'), `${JSON.stringify(state, null, 2)}\n`)
  console.log(`${join(folder, 'shop.tar.zst')}: ${(bytes / 1e6).toFixed(2)} MB`)
} finally {
  await rm(data, { recursive: true, force: true })
}

/** Loads the code with Vite, because Node cannot load the JSX of the mails. */
async function runShop(dataDir: string): Promise<Figures> {
  const vite = await createServer({
    root: resolve(import.meta.dirname, '..'),
    configFile: false,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { createLivedInShop: live } = await vite.ssrLoadModule('/test/lived-in-shop/create.ts')
    return await live(dataDir)
  } finally {
    await vite.close()
  }
}
