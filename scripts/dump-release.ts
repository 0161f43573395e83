import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createServer } from 'vite'
import { packShop } from '#test/lived-in-shop/archive.ts'
import type { Figures } from '#test/lived-in-shop/figures.ts'

/**
 * `npm run release:dump -- <folder>`: makes a shop of this release, lives in it until there is something in every state, and puts its
 * database (`shop.tar.zst`) and the figures that an upgrade must keep (`state.json`) into the folder.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('name a folder, for example supabase/releases/1.0.0')
const release = resolve(folder)
await mkdir(release, { recursive: true })
if ((await readdir(release)).length > 0)
  throw new Error(`${release} is not empty: a release's shop is made once`)

const data = await mkdtemp(join(tmpdir(), 'shop-release-'))
try {
  const state = await liveAShop(data)
  const bytes = await packShop(data, join(release, 'shop.tar.zst'))
  await writeFile(join(release, 'state.json'), `${JSON.stringify(state, null, 2)}\n`)
  console.log(`${join(folder, 'shop.tar.zst')}: ${(bytes / 1e6).toFixed(2)} MB`)
} finally {
  await rm(data, { recursive: true, force: true })
}

/** Mails are written in JSX, which Vite makes readable for Node. */
async function liveAShop(dataDir: string): Promise<Figures> {
  const vite = await createServer({
    root: resolve(import.meta.dirname, '..'),
    configFile: false,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { liveAShop: live } = await vite.ssrLoadModule('/test/lived-in-shop/live.ts')
    return await live(dataDir)
  } finally {
    await vite.close()
  }
}
