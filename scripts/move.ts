import { exitWithError } from '@saltfreak/backend'
import { moveDatabaseByCommand } from './move/database.ts'
import { moveFilesByCommand } from './move/files.ts'

/** `npm run move -- <subject> …` moves a part of the shop's data to another place. */
const SUBJECTS: Record<string, (args: string[]) => Promise<void>> = {
  database: moveDatabaseByCommand,
  files: moveFilesByCommand,
}

const [subject = '', ...args] = process.argv.slice(2)
const move = SUBJECTS[subject]
if (!move) {
  console.error(`Usage: npm run move -- ${Object.keys(SUBJECTS).join('|')} …`)
  process.exit(1)
}
await move(args).catch(exitWithError)
