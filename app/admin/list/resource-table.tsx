import type { MouseEvent, ReactNode } from 'react'
import { createPath, useNavigate, type To } from 'react-router'
import { classNames } from '#app/ui/class-names.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { SortLink, sortState } from './list-sort.tsx'
import styles from './resource-table.module.css'
import { SelectBox } from './select-box.tsx'
import type { ListState } from './use-list.ts'

export interface TableColumn<Row> {
  label: string
  cell: (row: Row) => ReactNode
  /**
   * Numbers are right-aligned; `noWrap` stays on one line; actions come last, without a visible heading on a phone; a card replaces
   * the whole row on a narrow screen.
   */
  kind?: 'number' | 'noWrap' | 'actions' | 'card'
  /** The sort that the column heading selects. */
  sort?: string
}

/** The link target of a row. */
export interface Opening {
  to: To
  /** For a dialog over the list. */
  preventScrollReset?: boolean
}

interface TableProps<Row> {
  caption: string
  columns: TableColumn<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
  /** Makes the whole row a link; the row must contain the same link for the keyboard. */
  opens?: (row: Row) => Opening
  /** For rows that open a dialog without a URL; the row must contain a button that does the same. */
  onOpen?: (row: Row) => void
  /** Adds sortable headings and, with `isSelectable`, checkboxes. */
  list?: ListState<Row>
  isSelectable?: boolean
  density?: 'comfortable' | 'compact'
}

/** A table that turns into cards on narrow screens, where each cell shows its column's label. */
export function ResourceTable<Row>({ caption, rows, keyOf, density, ...table }: TableProps<Row>) {
  return (
    <div className={styles.scroller}>
      <table className={styles.table} data-density={density}>
        <caption>
          <VisuallyHidden>{caption}</VisuallyHidden>
        </caption>
        <Heads {...table} />
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} {...table} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Shared<Row> = Omit<TableProps<Row>, 'caption' | 'rows' | 'keyOf' | 'density'>

function Heads<Row>({ columns, list, isSelectable }: Shared<Row>) {
  return (
    <thead>
      <tr>
        {list && isSelectable && (
          <th scope="col" className={styles.select}>
            <SelectBox
              label={`Select all ${list.definition.noun.plural} on this page`}
              state={list.selection.pageState}
              isDisabled={!list.selection.isReady}
              onToggle={list.selection.togglePage}
            />
          </th>
        )}
        {columns.map(({ label, kind, sort }) => (
          <th
            key={label}
            scope="col"
            className={kind && styles[kind]}
            aria-sort={list && sort ? sortState(list, sort) : undefined}
          >
            {list && sort ? <SortLink list={list} by={sort} label={label} /> : label}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function TableRow<Row>({ row, columns, opens, onOpen, list, isSelectable }: Shared<Row> & { row: Row }) {
  const openRow = useOpening(opens?.(row))
  const isOpened = opens !== undefined || onOpen !== undefined
  const press = (event: MouseEvent) => {
    if (!isOpened || isOnControl(event.target)) return
    if (opens) openRow(event)
    else onOpen?.(row)
  }
  const id = list?.definition.idOf(row)

  return (
    // Keyboards use the link in the row; the row is a larger target for pointers.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <tr
      className={classNames(styles.row, isOpened && styles.clickable)}
      data-selected={(id !== undefined && list?.selection.has(id)) || undefined}
      onClick={press}
      onAuxClick={opens && press}
    >
      {list && id !== undefined && isSelectable && (
        <td className={styles.select}>
          <SelectBox
            label={`Select ${list.definition.nameOf(row)}`}
            state={list.selection.has(id)}
            isDisabled={!list.selection.isReady}
            onToggle={() => list.selection.toggle(id)}
          />
        </td>
      )}
      {columns.map(({ label, cell, kind }) => (
        <td key={label} className={kind && styles[kind]} data-label={label}>
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** Returns a click handler that behaves like a link: Ctrl, Cmd and the middle button open a new tab. */
function useOpening(opening: Opening | undefined): (event: MouseEvent) => void {
  const navigate = useNavigate()

  return (event) => {
    const wantsTab = event.ctrlKey || event.metaKey || event.button === 1
    // Firefox selects a cell that is clicked with Ctrl.
    if (!opening || (!wantsTab && hasSelectedText())) return
    const { to, preventScrollReset } = opening
    if (wantsTab) window.open(typeof to === 'string' ? to : createPath(to), '_blank', 'noopener')
    else if (event.button === 0) void navigate(to, { preventScrollReset })
  }
}

/** A click that ends a text selection must not navigate. */
function hasSelectedText(): boolean {
  return getSelection()?.isCollapsed === false
}

function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, select, input, label, dialog') !== null
}
