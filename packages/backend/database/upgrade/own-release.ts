import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Release } from './release.ts'

const PACKAGE = new URL('../../../../package.json', import.meta.url)

const packageFile = z.object({ version: z.string(), compatibleFrom: z.string() })

/** Returns the running release from package.json. */
export async function ownRelease(): Promise<Release> {
  return packageFile.parse(JSON.parse(await readFile(PACKAGE, 'utf8')))
}
