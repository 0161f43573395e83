import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startShop } from '#test/running-shop.ts'
import { build } from '../../scripts/prepare.mjs'
import { chromium } from './chromium.ts'
import type { Engine, EngineStarter } from './engine.ts'
import { firefox } from './firefox.ts'
import { Walker } from './walker.ts'
import { WALKS } from './walks.ts'
import { webkit } from './webkit.ts'

/**
 * Walks the shop in every installed engine: `npm run e2e:engines`, or `npm run e2e:engines -- firefox webkit` for some of them. An
 * engine that is not installed is named and skipped. Screenshots go to `SHOTS`, or a folder for temporary files.
 */
const ENGINES = [chromium, firefox, webkit]
const shots = process.env.SHOTS ?? join(tmpdir(), 'shop-engines')

const names = process.argv.slice(2)
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
  for (const [at, { title, go }] of WALKS.entries()) {
    const start = performance.now()
    // A fresh profile each time: no walk depends on another.
    const engine = await starter.start()
    const walker = new Walker(engine, { base: shop.url, shots })
    const why = await go(walker).then(
      () => null,
      async (error: Error) => {
        await walker.screenshot(`failed-${at + 1}`).catch(() => undefined)
        return error.message
      },
    )
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`  ${why ? '✗' : '✓'} ${title} (${seconds} s)`)
    if (why) console.log(`    ${why}`)
    for (const error of unexpectedErrors(engine)) console.log(`    console: ${error}`)
    if (why) failed += 1
    await engine.close()
  }
  return failed
}

/** A customer who is no admin is answered with 406 for a role, as specified. */
function unexpectedErrors(engine: Engine): string[] {
  return [...new Set(engine.consoleErrors())].filter((error) => !/406|user_roles/.test(error))
}
