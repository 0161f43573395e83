import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withGeneratedParts } from '#test/security/tables.ts'

/** Writes the tables of limits and routes in docs/security.md from the lists in test/security. */
const page = join(import.meta.dirname, '../docs/security.md')
writeFileSync(page, withGeneratedParts(readFileSync(page, 'utf8')))
