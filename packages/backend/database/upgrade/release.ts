import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** A version of this software; the database records every version that upgraded it. */
export interface Release {
  version: string
  /** The oldest version whose code works with this version's schema. */
  compatibleFrom: string
}

const packageFile = z.object({ version: z.string(), compatibleFrom: z.string() })

/** Reads the running release from a package.json. */
export async function readRelease(path: URL): Promise<Release> {
  return packageFile.parse(JSON.parse(await readFile(path, 'utf8')))
}

/** Negative when `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)]
  const at = left.findIndex((number, index) => number !== right[index])
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
}

export function newestOf(releases: Release[]): Release | null {
  return releases.toSorted((a, b) => compareVersions(b.version, a.version))[0] ?? null
}

function numbersOf(version: string): number[] {
  const [major, minor, patch] = version.split(/[.-]/).map(Number)
  return [major ?? 0, minor ?? 0, patch ?? 0]
}
