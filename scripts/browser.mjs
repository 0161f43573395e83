// Plain JavaScript, because it runs on Node 20.
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell draws no browser window, which saves a quarter of the journeys' CPU time.
const HEADLESS_SHELL = 'chromium-headless-shell'
/** The other engines, and a display for the one that has no headless mode. */
const OTHER_ENGINES = { 'firefox-esr': 'firefox-esr', 'webkit2gtk-driver': 'WebKitWebDriver', xvfb: 'Xvfb' }
const NAMES = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const OTHER_PATHS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', '/snap/bin/chromium']

/** Returns the path of an installed Chrome or Chromium, or undefined to use Playwright's own browser. */
export function findBrowser() {
  const candidates = NAMES.flatMap(onPath)
  return [process.env.BROWSER_PATH, ...candidates, ...OTHER_PATHS].find((path) => path && isProgram(path))
}

function onPath(name) {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
}

/**
 * Installs Debian's headless shell, Firefox and WebKit if possible. Without the first, uses an installed browser or downloads Playwright's;
 * without the others, their stage of the gate says what is missing.
 */
export function installBrowsers() {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) installFromDebian()
  if (findBrowser()) return
  execFileSync(process.execPath, [join('node_modules', '.bin', 'playwright'), 'install', 'chromium'], {
    stdio: 'inherit',
  })
}

function installFromDebian() {
  const wanted = {
    ...(process.env.BROWSER_PATH ? {} : { [HEADLESS_SHELL]: HEADLESS_SHELL }),
    ...OTHER_ENGINES,
  }
  const missing = Object.keys(wanted).filter((name) => !onPath(wanted[name]).some(isProgram))
  if (missing.length === 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 2, 2] })
  apt('update')
  // One by one: a package that this Debian lacks must not keep the others out.
  for (const name of missing) apt('install', '--yes', '--no-install-recommends', name)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
