// Plain JavaScript for Node 20: the end-to-end tests need a browser, and the machine may have one.
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell draws no browser window around each page: journeys take a quarter less processor time.
const HEADLESS_SHELL = 'chromium-headless-shell'
const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ELSEWHERE = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium']

/** The path of an installed Chrome or Chromium; undefined leaves the choice to Playwright, which knows its own. */
export function findBrowser() {
  const candidates = NAMES.flatMap(onPath)
  return [process.env.BROWSER_PATH, ...candidates, ...ELSEWHERE].find((path) => path && isProgram(path))
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
}

/** Gets a browser onto the machine: Debian's headless shell where we may install it, else any that is there, else Playwright's own. */
export function getBrowser() {
  if (process.env.BROWSER_PATH || onPath(HEADLESS_SHELL).some(isProgram)) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && installedFromDebian()) return
  if (findBrowser()) return
  execFileSync(process.execPath, [join('node_modules', '.bin', 'playwright'), 'install', 'chromium'], {
    stdio: 'inherit',
  })
}

function installedFromDebian() {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 2, 2] }).status === 0
  return (
    apt('update') &&
    apt('install', '--yes', '--no-install-recommends', HEADLESS_SHELL) &&
    Boolean(findBrowser())
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
