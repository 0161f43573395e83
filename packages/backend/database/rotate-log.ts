import { copyFile, stat, truncate } from 'node:fs/promises'

const MAX_BYTES = 10 * 1024 * 1024
const INTERVAL_MS = 3_600_000

/**
 * Moves the content of a log that exceeds `maxBytes` to `<path>.1`, whose former content is lost. The program that appends to
 * the file goes on with the emptied one. A line that it writes between both steps is lost.
 */
export async function rotateLog(path: string, maxBytes = MAX_BYTES): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size <= maxBytes) return
  await copyFile(path, `${path}.1`)
  await truncate(path)
}

/** Rotates a log each hour until `ended`. A full disk must not end the process: the next hour tries again. */
export function keepLogSmall(path: string, ended: Promise<void>): void {
  const timer = setInterval(() => void rotateLog(path).catch(() => undefined), INTERVAL_MS).unref()
  const stop = () => clearInterval(timer)
  ended.then(stop, stop)
}
