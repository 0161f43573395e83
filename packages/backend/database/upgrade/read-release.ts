import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Release } from './release.ts'

const packageFile = z.object({ version: z.string(), compatibleFrom: z.string() })

/** Reads the running release from a package.json. */
export async function readRelease(path: URL): Promise<Release> {
  return packageFile.parse(JSON.parse(await readFile(path, 'utf8')))
}
