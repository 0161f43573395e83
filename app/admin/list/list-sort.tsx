import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import styles from './list-controls.module.css'
import { ListLink } from './list-link.tsx'
import { type List, parseSort } from './list.ts'
import type { ListState } from './use-list.ts'
import { SelectMenu } from './select-menu.tsx'

/** A column heading that sorts by the column, or reverses the order when it already does. */
export function SortLink<Row>({ list, by, label }: { list: ListState<Row>; by: string; label: string }) {
  const { column, ascending } = parseSort(list.view.sort)
  const isSorted = column === by
  const Icon = isSorted ? (ascending ? ArrowUp : ArrowDown) : ArrowUpDown

  return (
    <ListLink
      className={styles.sortLink}
      list={list}
      change={() => ({ sort: isSorted && ascending ? `-${by}` : isSorted ? by : defaultDirection(list, by) })}
      data-sorted={isSorted || undefined}
    >
      {label} <Icon size={14} aria-hidden />
    </ListLink>
  )
}

/** The list's default sort keeps its direction; other columns start ascending. */
function defaultDirection<Row>({ definition }: ListState<Row>, by: string): string {
  return definition.defaultSort === `-${by}` ? `-${by}` : by
}

export function sortState<Row>(list: ListState<Row>, by: string): 'ascending' | 'descending' | undefined {
  const { column, ascending } = parseSort(list.view.sort)
  if (column !== by) return undefined
  return ascending ? 'ascending' : 'descending'
}

/** Sorts from a menu, for cards, which have no column headings. */
export function SortMenu<Row>({ list }: { list: ListState<Row> }) {
  const { sorts }: Pick<List<never>, 'sorts'> = list.definition
  const choices = Object.entries(sorts).flatMap(([by, sort]) =>
    sort
      ? [
          { value: by, label: `${sort.label}, ${sort.ascending}` },
          { value: `-${by}`, label: `${sort.label}, ${sort.descending}` },
        ]
      : [],
  )
  return (
    <SelectMenu
      label={`Sort ${list.definition.noun.plural}`}
      value={list.view.sort}
      choices={choices}
      className={styles.sortMenu}
      onChoose={(sort) => list.go(() => ({ sort }))}
    />
  )
}
