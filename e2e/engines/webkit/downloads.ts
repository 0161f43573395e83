import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A file that a browser has saved, under the name that Playwright looks for. */
export interface SavedFile {
  uuid: string
  suggestedFilename: string
}

/** WebKit writes under such a name until the file is complete. */
const INCOMPLETE = '.wkdownload'

/** Moves each file that a browser saves in `folder` to Playwright's folder. Stop it before the folder is deleted. */
export async function watchDownloads(
  folder: string,
  target: string,
  onSaved: (file: SavedFile) => void,
): Promise<() => void> {
  await mkdir(folder, { recursive: true })
  const watcher = watch(folder, (event, name) => {
    if (event !== 'rename' || !name || name.endsWith(INCOMPLETE)) return
    const uuid = randomUUID()
    copyFile(join(folder, name), join(target, uuid))
      .then(() => rm(join(folder, name)))
      // The event tells of files that are gone as well.
      .then(
        () => onSaved({ uuid, suggestedFilename: name }),
        () => undefined,
      )
  })
  return () => watcher.close()
}
