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
 * Walks the shop in every installed engine: `npm run e2e:walks`, or `npm run e2e:walks -- firefox webkit --only toast` for
 * some engines and the walks whose title matches a pattern, `--short` for those of the gate. An engine that is not installed is named and
 * skipped; with `CI` set that is a failure. An error on the console fails a walk. Screenshots go to `SHOTS`, or a folder for temporary files.
 */
const ENGINES = [chromium, firefox, webkit]
const shots = process.env.SHOTS ?? join(tmpdir(), 'shop-engines')

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, short: { type: 'boolean', default: false } },
})
const walks = WALKS.filter(
  ({ title, isShort }) => new RegExp(values.only).test(title) && (isShort || !values.short),
)
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
  // Side by side: a walk mostly waits for its browser.
  const reports = await Promise.all(chosen.map(walkIn))
  for (const { lines, failed } of reports) {
    console.log(lines.join('\n'))
    failures += failed
  }
} finally {
  await shop.stop()
}
console.log(failures === 0 ? '\nEvery walk passed.' : `\n${failures} failed. Screenshots: ${shots}`)
process.exitCode = failures === 0 ? 0 : 1

async function walkIn(starter: EngineStarter): Promise<{ lines: string[]; failed: number }> {
  const missing = starter.missing()
  const lines = [`\n▸ ${starter.name}`]
  if (missing) {
    lines.push(`  SKIPPED: this machine lacks ${missing}. Nothing was checked in this engine.`)
    return { lines, failed: process.env.CI ? 1 : 0 }
  }
  let failed = 0
  for (const [at, { title, go, expectedErrors = /^$/ }] of walks.entries()) {
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
    const errors = unexpectedErrors(engine).filter((error) => !expectedErrors.test(error))
    faults.push(...errors.map((error) => `console: ${error}`))
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    lines.push(`  ${faults.length > 0 ? '✗' : '✓'} ${title} (${engine.version}, ${seconds} s)`)
    lines.push(...faults.map((fault) => `    ${fault}`))
    if (faults.length > 0) failed += 1
    await engine.close()
  }
  return { lines, failed }
}

/**
 * A customer without a role gets 406 for it, as specified. React Router reports its request for further routes when the page is left
 * while that request runs, and so do the page about its stock, the admin area about a module of its live updates and, by the status of an
 * aborted load, fonts in Firefox.
 */
function unexpectedErrors(engine: Engine): string[] {
  return [...new Set(engine.consoleErrors())].filter(
    (error) =>
      !/406|user_roles|Failed to fetch manifest patches|the stock did not load (?:TypeError: NetworkError|AbortError)|not live TypeError: error loading dynamically imported module|downloadable font: download failed .* status=2152398850/.test(
        error,
      ),
  )
}
