import { largeSelect } from '../errors.ts'
import type { SelectItem } from './select.ts'

/** Rows multiply from level to level. */
const MAX_LEVELS = 2
const MAX_EMBEDS = 6
/** Of one column, by different names or casts. */
const MAX_COPIES = 3

/** Throws for a select whose answer could be hundreds of times as large as the tables that it reads. */
export function refuseLargeSelect(items: SelectItem[]): void {
  if (levelsOf(items) > MAX_LEVELS) throw largeSelect(`embed resources in more than ${MAX_LEVELS} levels`)
  if (countEmbeds(items) > MAX_EMBEDS) throw largeSelect(`embed more than ${MAX_EMBEDS} resources`)
  if (copiesIn(items) > MAX_COPIES) throw largeSelect(`name a column more than ${MAX_COPIES} times`)
}

function embedsOf(items: SelectItem[]) {
  return items.filter((item) => item.kind === 'embed')
}

function levelsOf(items: SelectItem[]): number {
  return Math.max(0, ...embedsOf(items).map((embed) => 1 + levelsOf(embed.items)))
}

function countEmbeds(items: SelectItem[]): number {
  return embedsOf(items).reduce((total, embed) => total + 1 + countEmbeds(embed.items), 0)
}

function copiesIn(items: SelectItem[]): number {
  const counts = new Map<string, number>()
  for (const item of items) {
    if (item.kind !== 'field') continue
    const column = JSON.stringify(item.field)
    counts.set(column, (counts.get(column) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values(), ...embedsOf(items).map((embed) => copiesIn(embed.items)))
}
