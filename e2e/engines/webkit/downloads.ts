import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { access, copyFile, mkdir, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that a browser has saved, under the name that Playwright looks for. */
export interface SavedFile {
  uuid: string
  suggestedFilename: string
}

/** WebKit writes files from the network under such a name; those that a page made get their own name at once. */
const INCOMPLETE = '.wkdownload'
/** Linux cuts names of processes to 15 letters. */
const WRITER = 'WebKitNetworkPr'
const LOOK_EVERY_MS = 25

/** Moves each file that a browser saves in `folder` to Playwright's folder. Stop it before the folder is deleted. */
export async function watchDownloads(
  folder: string,
  target: string,
  onSaved: (file: SavedFile) => void,
): Promise<() => void> {
  await mkdir(folder, { recursive: true })
  const moving = new Set<string>()
  const stopped = new AbortController()
  const move = async (name: string) => {
    const path = join(folder, name)
    const uuid = randomUUID()
    // No event tells that a file is closed.
    // oxlint-disable no-await-in-loop -- one look after the other
    while (!stopped.signal.aborted && !(await isComplete(path)))
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    // oxlint-enable no-await-in-loop
    await copyFile(path, join(target, uuid))
    await rm(path)
    onSaved({ uuid, suggestedFilename: name })
  }
  const watcher = watch(folder, (event, name) => {
    if (event !== 'rename' || !name || name.endsWith(INCOMPLETE) || moving.has(name)) return
    moving.add(name)
    // The event tells of files that are gone as well, and the folder goes with the browser.
    void move(name)
      .catch(() => undefined)
      .finally(() => moving.delete(name))
  })
  return () => {
    stopped.abort()
    watcher.close()
  }
}

/** A file from the network is empty until it gets its own name. Fails for one that does not exist. */
async function isComplete(path: string): Promise<boolean> {
  const { size } = await stat(path)
  if (size === 0 || (await exists(path + INCOMPLETE))) return false
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const writing = await Promise.all(processes.map((id) => isWriting(join('/proc', id), path)))
  return !writing.includes(true)
}

/** A process may end meanwhile. */
async function isWriting(process: string, path: string): Promise<boolean> {
  const name = await readFile(join(process, 'comm'), 'utf8').catch(() => '')
  if (name.trim() !== WRITER) return false
  const files = await readdir(join(process, 'fd')).catch(() => [])
  const paths = await Promise.all(files.map((file) => readlink(join(process, 'fd', file)).catch(() => '')))
  return paths.includes(path)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
