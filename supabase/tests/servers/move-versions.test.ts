import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  catalogueDifferences,
  findInstalledPostgres,
  findRunningPostgres,
  postgresUrl,
  snapshotCatalogue,
  startInstalledPostgres,
  waitForOutput,
} from '@saltfreak/backend/testing'
import { expect, it } from 'vitest'
import { unpackShop } from '#test/lived-in-shop/archive.ts'
import { type Figures, readFigures } from '#test/lived-in-shop/figures.ts'
import { openLivedInShop } from '#test/lived-in-shop/shop.ts'
import { launchShopProgram, runUntilExit, withoutPassword } from '#test/running-shop.ts'

const PROGRAM = 'scripts/move.ts'
const ARCHIVE = join(import.meta.dirname, '../../releases/1.0.0/shop.tar.zst')

interface State {
  figures: Figures
  catalogue: Record<string, string>
}

/** Starts the shop on a data folder, and reads what a move must keep. */
async function stateOf(dataDir: string): Promise<State> {
  const shop = await openLivedInShop(dataDir)
  try {
    const postgres = await findRunningPostgres(dataDir)
    if (!postgres) throw new Error(`no PostgreSQL runs in ${dataDir}`)
    const catalogue = await snapshotCatalogue(postgresUrl(postgres, 'supabase_admin'))
    return { figures: await readFigures(shop), catalogue }
  } finally {
    await shop.close()
  }
}

/** Kills the command while it copies. */
async function killedMove(env: Record<string, string>, args: string[]): Promise<void> {
  const { process: command } = launchShopProgram(env, { program: PROGRAM, args })
  expect(await waitForOutput(command, /^copied \d0 %/m)).toBe(true)
  command.kill('SIGKILL')
  await once(command, 'exit')
}

it('moves a lived-in shop to PostgreSQL 15 and back, although the command is killed half-way', async (test) => {
  if (process.env.TEST_RUN !== 'long') test.skip('in the long run only')
  const binaries = await findInstalledPostgres()
  expect(binaries, 'apt-get install postgresql-15').not.toBeNull()
  const folder = await mkdtemp(join(tmpdir(), 'move-versions-'))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const server = await startInstalledPostgres(binaries ?? '')
  try {
    await unpackShop(ARCHIVE, first)
    const before = await stateOf(first)

    const { address, password } = withoutPassword(server.url)
    const there = ['database', address, '--yes']
    const from = { DATA_DIR: first, PGPASSWORD: password }
    await killedMove(from, there)
    const refused = await runUntilExit(
      { DATA_DIR: folder, DATABASE_URL: server.url },
      { program: 'scripts/keys.ts' },
    )
    expect(refused.output).toMatch(/^the database holds an unfinished copy/)
    const moved = await runUntilExit(from, { program: PROGRAM, args: there })
    expect(moved.output).toMatch(/Copied and compared \d+ rows of \d+ tables\.\nSet DATABASE_URL/)

    const back = ['database', 'embedded', '--yes']
    const env = { DATA_DIR: second, DATABASE_URL: server.url }
    await killedMove(env, back)
    const returned = await runUntilExit(env, { program: PROGRAM, args: back })
    expect(returned.output).toMatch(/Copied and compared \d+ rows of \d+ tables\.\nUnset DATABASE_URL/)

    const after = await stateOf(second)
    expect(after.figures).toEqual(before.figures)
    // Each server has its own versions of the extensions.
    const differences = catalogueDifferences(before.catalogue, after.catalogue)
    expect(differences.filter((line) => !/^[-+] extension /.test(line))).toEqual([])
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}, 120_000)
