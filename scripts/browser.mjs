// Plain JavaScript for Node 20: the end-to-end tests need a browser, and the machine may have one.
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium']

/** The path of an installed Chrome or Chromium; undefined leaves the choice to Playwright, which knows its own. */
export function findBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.BROWSER_PATH, ...candidates, ...ELSEWHERE].find((path) => path && isProgram(path))
}

/** Gets a browser onto a machine that has none: Debian's package, else Playwright's own. */
export function getBrowser() {
  if (findBrowser()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && installedFromDebian()) return
  execFileSync(process.execPath, [join('node_modules', '.bin', 'playwright'), 'install', 'chromium'], {
    stdio: 'inherit',
  })
}

function installedFromDebian() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 2, 2] }).status === 0
  return (
    apt('update') && apt('install', '--yes', '--no-install-recommends', 'chromium') && Boolean(findBrowser())
  )
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
