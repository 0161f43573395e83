import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import type { Pool } from 'pg'
import { generateTypes } from '@saltfreak/backend/tools'

const ROOT = join(import.meta.dirname, '../..')

export const TYPES_FILE = join(ROOT, 'supabase/database.types.ts')

/** Returns the formatted content of the types file for the schema `public`. */
export async function databaseTypes(owner: Pool): Promise<string> {
  const client = await owner.connect()
  try {
    const text = await generateTypes(client, 'public')
    const { code, errors } = await format(TYPES_FILE, text, await formatOptions())
    const [error] = errors
    if (error) throw new Error(`The generated types are not valid TypeScript: ${error.message}`)
    return code
  } finally {
    client.release()
  }
}

async function formatOptions(): Promise<FormatConfig> {
  const { ignorePatterns: _, ...options } = JSON.parse(await readFile(join(ROOT, '.oxfmtrc.json'), 'utf8'))
  return options
}
