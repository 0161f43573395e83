import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@saltfreak/backend/testing'
import { type Engine, type EngineStarter, keyActions, pressActions } from './engine.ts'
import { findProgram, startProgram, stopProgram } from './programs.ts'

const ANSWER_WITHIN_MS = 30_000
/** WebKitGTK never responds for some pages. */
const PICTURE_WITHIN_MS = 5000

const findDriver = () => findProgram('WebKitWebDriver')
export const findMiniBrowser = () =>
  findProgram(
    'MiniBrowser',
    '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
    '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  )

/** WebKitGTK over WebDriver (https://www.w3.org/TR/webdriver2/), on its own screen. */
export const webkit: EngineStarter = {
  name: 'webkit',
  missing: () => {
    if (!findDriver() || !findMiniBrowser()) return 'WebKitGTK (Debian: webkit2gtk-driver)'
    return process.env.DISPLAY || findProgram('Xvfb') ? null : 'a screen (Debian: xvfb)'
  },
  async start(): Promise<Engine> {
    const screen = await startScreen()
    const port = await freePort()
    const { child } = await startDriver(port, screen.display)
    const call = caller(`http://127.0.0.1:${port}`)
    const folder = await mkdtemp(join(tmpdir(), 'webkit-walk-'))
    const { binary, log } = await loggingBrowser(folder)
    const { sessionId, capabilities } = await call('POST', '/session', {
      capabilities: {
        alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } },
      },
    })
    const session = (method: string, path: string, body?: object) =>
      call(method, `/session/${sessionId}${path}`, body)
    const run = async (expression: string) => {
      const script = `const done = arguments[arguments.length - 1];
        Promise.resolve(${expression}).then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }))`
      const { value, error } = await session('POST', '/execute/async', { script, args: [] })
      if (error) throw new Error(error)
      return value
    }

    return {
      name: 'webkit',
      version: String(capabilities.browserVersion),
      async resize(width, height) {
        await session('POST', '/window/rect', { width, height })
        // The window has a toolbar, so size the page itself.
        const inner = await run('[innerWidth, innerHeight]')
        await session('POST', '/window/rect', { width: width * 2 - inner[0], height: height * 2 - inner[1] })
      },
      navigate: (url) => session('POST', '/url', { url }),
      evaluate: run,
      async clickAt(x, y) {
        await session('POST', '/actions', {
          actions: [
            {
              type: 'pointer',
              id: 'mouse',
              parameters: { pointerType: 'mouse' },
              actions: pressActions(x, y),
            },
          ],
        })
      },
      async typeKeys(text) {
        await session('POST', '/actions', {
          actions: [{ type: 'key', id: 'keys', actions: keyActions(text) }],
        })
      },
      screenshot: async () => Buffer.from(await session('GET', '/screenshot'), 'base64'),
      consoleErrors: () => readConsole(log),
      async close() {
        await call('DELETE', `/session/${sessionId}`).catch(() => undefined)
        for (const program of [child, screen.child]) if (program) await stopProgram(program)
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}

/** MiniBrowser with its console written to a file: the driver discards its output and cannot read the console. */
async function loggingBrowser(folder: string): Promise<{ binary: string; log: string }> {
  const binary = join(folder, 'browser')
  const log = join(folder, 'console')
  const script = `#!/bin/sh
exec "${findMiniBrowser()}" --enable-write-console-messages-to-stdout=true "$@" > "${log}" 2>&1
`
  await writeFile(binary, script, { mode: 0o755 })
  return { binary, log }
}

function readConsole(log: string): string[] {
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.flatMap((line) => /CONSOLE \w+ ERROR (.+)/.exec(line)?.[1] ?? [])
}

/** Returns the existing display, or starts a virtual one. */
export async function startScreen() {
  if (process.env.DISPLAY) return { display: process.env.DISPLAY, child: null }
  const args = ['-displayfd', '1', '-screen', '0', '2600x1800x24', '-nolisten', 'tcp']
  const { child, found } = await startProgram(findProgram('Xvfb') ?? '', args, { pattern: /(\d+)\n/ })
  return { display: `:${found}`, child }
}

async function startDriver(port: number, display: string) {
  const env = { DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1', GDK_BACKEND: 'x11' }
  // It prints nothing when it listens.
  const starting = startProgram('/bin/sh', ['-c', `echo started; exec "${findDriver()}" --port=${port}`], {
    pattern: /(started)/,
    env,
  })
  const started = await starting
  for (let left = 100; left > 0; left -= 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/status`).catch(() => null)
    if (answer?.ok) return started
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('WebKitWebDriver did not start')
}

function caller(base: string) {
  // oxlint-disable-next-line typescript/no-explicit-any -- Responses of an external protocol; each caller reads its own.
  return async (method: string, path: string, body?: object): Promise<any> => {
    const command = `${method} ${path.replace(/\/session\/[^/]+/, '')}`
    const answer = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(path.endsWith('/screenshot') ? PICTURE_WITHIN_MS : ANSWER_WITHIN_MS),
      body: method === 'POST' ? JSON.stringify(body ?? {}) : undefined,
    }).catch((cause: unknown) => {
      throw new Error(`${command} had no answer`, { cause })
    })
    const { value } = await answer.json()
    if (!answer.ok) throw new Error(`${command}: ${value.error} ${value.message}`)
    return value
  }
}
