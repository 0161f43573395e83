import type { Change } from './change.ts'
import { actorName, changeTitle, fieldChanges, withheldFields } from './change-words.ts'

export const CSV_COLUMNS = [
  'When',
  'Who',
  'What',
  'Before',
  'After',
  'Also changed (values not kept)',
  'Entry',
]

/** Formats one change with the same texts as the page. */
export function csvRow(change: Change): string[] {
  const fields = fieldChanges(change)
  const side = (name: 'before' | 'after') =>
    fields.flatMap((field) => (field[name] === null ? [] : `${field.field}: ${field[name]}`)).join('\n')
  return [
    change.changed_at,
    actorName(change),
    changeTitle(change),
    side('before'),
    side('after'),
    withheldFields(change),
    String(change.id),
  ]
}
