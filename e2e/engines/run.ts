import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startShop } from '#test/running-shop.ts'
import { build } from '../../scripts/prepare.mjs'
import { chromium } from './chromium.ts'
import type { Engine, EngineStarter } from './engine.ts'
import { firefox } from './firefox.ts'
import { Walker } from './walker.ts'
import { WALKS } from './walks.ts'
import { webkit } from './webkit.ts'

/**
 * Walks the shop in every installed engine: `npm run e2e:engines`, or `npm run e2e:engines -- firefox webkit --only toast` for
 * some engines and the walks whose title matches a pattern. An engine that is not installed is named and skipped. An error on the console
 * fails a walk. Screenshots go to `SHOTS`, or a folder for temporary files.
 */
const ENGINES = [chromium, firefox, webkit]
const shots = process.env.SHOTS ?? join(tmpdir(), 'shop-engines')

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
})
const walks = WALKS.filter(({ title }) => new RegExp(values.only).test(title))
const unknown = names.filter((name) => !ENGINES.some((engine) => engine.name === name))
if (unknown.length > 0) {
  console.error(
    `Unknown engine: ${unknown.join(', ')}. Known: ${ENGINES.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const chosen = ENGINES.filter(({ name }) => names.length === 0 || names.includes(name))

await build()
const shop = await startShop()
let failures = 0
try {
  for (const starter of chosen) failures += await walkIn(starter)
} finally {
  await shop.stop()
}
console.log(failures === 0 ? '\nEvery walk passed.' : `\n${failures} failed. Screenshots: ${shots}`)
process.exitCode = failures === 0 ? 0 : 1

async function walkIn(starter: EngineStarter): Promise<number> {
  const missing = starter.missing()
  console.log(`\n▸ ${starter.name}`)
  if (missing) {
    console.log(`  SKIPPED: this machine lacks ${missing}. Nothing was checked in this engine.`)
    return 0
  }
  let failed = 0
  for (const [at, { title, go }] of walks.entries()) {
    const start = performance.now()
    // A fresh profile each time: no walk depends on another.
    const engine = await starter.start()
    const walker = new Walker(engine, { shop, shots })
    const faults: string[] = await go(walker).then(
      () => [],
      async (error: Error) => {
        await walker.screenshot(`failed-${at + 1}`).catch(() => undefined)
        return [error.message]
      },
    )
    faults.push(...unexpectedErrors(engine).map((error) => `console: ${error}`))
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`  ${faults.length > 0 ? '✗' : '✓'} ${title} (${engine.version}, ${seconds} s)`)
    for (const fault of faults) console.log(`    ${fault}`)
    if (faults.length > 0) failed += 1
    await engine.close()
  }
  return failed
}

/**
 * A customer without a role gets 406 for it, as specified. React Router reports its request for further routes when
 * the page is left while that request runs.
 */
function unexpectedErrors(engine: Engine): string[] {
  return [...new Set(engine.consoleErrors())].filter(
    (error) => !/406|user_roles|Failed to fetch manifest patches/.test(error),
  )
}
