import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { DatabasePools } from '#backend/database/pool.ts'
import type { FunctionHandler } from '#backend/functions/create-functions.ts'
import type { Caller } from '#backend/http/caller.ts'
import { InvalidSettings } from '#backend/process/invalid-settings.ts'

/** Context of a function that is loaded from the folder. */
interface StandaloneContext {
  caller: Caller
  database: DatabasePools
  publicUrl: string
}

type Functions = Record<string, FunctionHandler<StandaloneContext>>

/** Loads `NAME/index.ts` or `.js` by name; skips names that start with `_` or a dot, which contain shared code. */
export async function loadFunctions(folder: string): Promise<Functions> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new InvalidSettings(`--functions-dir: cannot read the folder ${folder}`)
  })
  const names = entries.filter((entry) => entry.isDirectory() && /^[^_.]/.test(entry.name))
  const loaded = names.map(async ({ name }) => [name, await loadFunction(join(folder, name))] as const)
  return Object.fromEntries(await Promise.all(loaded))
}

async function loadFunction(folder: string): Promise<FunctionHandler<StandaloneContext>> {
  const file = (await readdir(folder)).find((name) => /^index\.(m?js|ts)$/.test(name))
  if (!file) throw new InvalidSettings(`--functions-dir: ${folder} has no index.ts or index.js`)
  const { default: handler }: { default?: unknown } = await import(pathToFileURL(resolve(folder, file)).href)
  if (!isHandler(handler))
    throw new InvalidSettings(`--functions-dir: ${folder} has no function as its default export`)
  return handler
}

function isHandler(value: unknown): value is FunctionHandler<StandaloneContext> {
  return typeof value === 'function'
}
