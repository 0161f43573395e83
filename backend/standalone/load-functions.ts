import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Database } from '#backend/database/pool.ts'
import type { FunctionHandler } from '#backend/functions/create-functions.ts'
import type { Caller } from '#backend/http/caller.ts'
import { WrongSettings } from '#backend/process/refusal.ts'

/** What a function of the folder may use. */
export interface FunctionGiven {
  caller: Caller
  database: Database
  publicUrl: string
}

type Functions = Record<string, FunctionHandler<FunctionGiven>>

/** `NAME/index.ts` or `.js` in the folder, by name; what begins with `_` or a dot is shared between them. */
export async function loadFunctions(folder: string): Promise<Functions> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => {
    throw new WrongSettings(`--functions-dir: the folder ${folder} cannot be read`)
  })
  const names = entries.filter((entry) => entry.isDirectory() && /^[^_.]/.test(entry.name))
  const loaded = names.map(async ({ name }) => [name, await loadFunction(join(folder, name))] as const)
  return Object.fromEntries(await Promise.all(loaded))
}

async function loadFunction(folder: string): Promise<FunctionHandler<FunctionGiven>> {
  const file = (await readdir(folder)).find((name) => /^index\.(m?js|ts)$/.test(name))
  if (!file) throw new WrongSettings(`--functions-dir: ${folder} has no index.ts or index.js`)
  const { default: handler }: { default?: unknown } = await import(pathToFileURL(resolve(folder, file)).href)
  if (!isHandler(handler)) throw new WrongSettings(`--functions-dir: ${folder} exports no default function`)
  return handler
}

function isHandler(value: unknown): value is FunctionHandler<FunctionGiven> {
  return typeof value === 'function'
}
