import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BidiConnection } from './bidi.ts'
import { type Engine, type EngineStarter, keyActions, pressActions } from './engine.ts'
import { findProgram, startProgram, stopProgram } from './programs.ts'

const find = () => findProgram('firefox-esr', 'firefox')

/** Scrollbars that take space, as on Windows and Linux, because pages must fit beside them. */
const PREFERENCES = `
user_pref("widget.gtk.overlay-scrollbars.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("app.update.disabledForTesting", true);
`

/** Firefox over WebDriver BiDi, which it speaks itself. */
export const firefox: EngineStarter = {
  name: 'firefox',
  missing: () => (find() ? null : 'Firefox (Debian: firefox-esr)'),
  async start(): Promise<Engine> {
    const profile = await mkdtemp(join(tmpdir(), 'firefox-walk-'))
    await writeFile(join(profile, 'user.js'), PREFERENCES)
    const args = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', profile]
    const { child, found } = await startProgram(find() ?? '', args, {
      pattern: /WebDriver BiDi listening on (ws:\S+)/,
      env: { HOME: profile },
    })
    const connection = await BidiConnection.open(`${found}/session`)
    const errors: string[] = []
    connection.onEvent('log.entryAdded', (entry) => {
      if (entry.level === 'error') errors.push(String(entry.text))
    })
    const { capabilities } = await connection.send('session.new', { capabilities: {} })
    const browser = String(capabilities.browserVersion)
    await connection.send('session.subscribe', { events: ['log.entryAdded'] })
    const { contexts } = await connection.send('browsingContext.getTree', {})
    const context = contexts[0].context

    return {
      name: 'firefox',
      version: browser,
      async resize(width, height) {
        await connection.send('browsingContext.setViewport', { context, viewport: { width, height } })
      },
      async navigate(url) {
        await connection.send('browsingContext.navigate', { context, url, wait: 'complete' })
      },
      async evaluate(expression) {
        const { type, result, exceptionDetails } = await connection.send('script.evaluate', {
          expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value) ?? 'null')`,
          target: { context },
          awaitPromise: true,
        })
        if (type === 'exception') throw new Error(exceptionDetails.text)
        return JSON.parse(result.value)
      },
      async clickAt(x, y) {
        await connection.send('input.performActions', {
          context,
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
        const actions = [{ type: 'key', id: 'keys', actions: keyActions(text) }]
        await connection.send('input.performActions', { context, actions })
      },
      async screenshot() {
        const { data } = await connection.send('browsingContext.captureScreenshot', { context })
        return Buffer.from(data, 'base64')
      },
      consoleErrors: () => errors,
      async close() {
        connection.close()
        await stopProgram(child)
        await rm(profile, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}
