import type { ReactNode } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import styles from './list-controls.module.css'
import { ListFilters } from './list-filters.tsx'
import { ListPages } from './list-pages.tsx'
import { ListSearch } from './list-search.tsx'
import { SortMenu } from './list-sort.tsx'
import { isNarrowed, sortWords } from './list.ts'
import { ResourceList, type Notice } from './resource-list.tsx'
import { ResourceTable, type Column, type Opening } from './resource-table.tsx'
import { SelectBox } from './select-box.tsx'
import { SelectionBar } from './selection-bar.tsx'
import type { Selection } from './selection.ts'
import type { OpenList } from './use-list.ts'

interface ScreenProps<Row> {
  list: OpenList<Row>
  /** What stands in place of a list that has nothing at all: what belongs here, and what to do. */
  empty: Notice
  /** Beside the title: the one thing to do with the whole list. */
  action?: ReactNode
  /** Between title and search. */
  above?: ReactNode
  /** What can be done with the rows that are ticked; without it none can be. */
  bulk?: (selection: Selection<Row>) => ReactNode
}

interface TableScreenProps<Row> extends ScreenProps<Row> {
  columns: Column<Row>[]
  /** Where a row leads. Ctrl or the middle button opens it in a tab of its own. */
  opens?: (row: Row) => Opening
  /** For what opens in a dialog that has no address. */
  onOpen?: (row: Row) => void
  children?: undefined
}

interface OwnScreenProps<Row> extends ScreenProps<Row> {
  /** The rows in a shape of their own, cards say. */
  children: (rows: Row[]) => ReactNode
}

/** A whole list: title, search, filters, rows, pages, and what is ticked, in each of its states. */
export function ListScreen<Row>(props: TableScreenProps<Row> | OwnScreenProps<Row>) {
  const { list, empty, action, above, bulk } = props

  return (
    <ResourceList
      title={list.list.title}
      query={list.page}
      rowsOf={({ rows }) => rows}
      empty={emptyNotice(list, empty)}
      action={action}
      filter={
        <>
          {above}
          <div className={styles.controls}>
            {list.list.searches && <ListSearch list={list} />}
            <ListFilters list={list} />
            <Arrangement list={list} isSelectable={bulk !== undefined} />
          </div>
        </>
      }
    >
      {(rows) => (
        <>
          {props.children ? props.children(rows) : <Table {...props} rows={rows} />}
          <ListPages list={list} />
          {bulk && <SelectionBar list={list}>{bulk(list.selection)}</SelectionBar>}
        </>
      )}
    </ResourceList>
  )
}

/** How much there is, in which order, from where to where. */
function Arrangement<Row>({ list, isSelectable }: { list: OpenList<Row>; isSelectable: boolean }) {
  const count = list.page.data?.rows.length ?? 0
  return (
    <div className={styles.arrangement}>
      {isSelectable && count > 0 && (
        <span className={styles.selectPage}>
          <SelectBox
            label={`Select all ${list.list.things.many} on this page`}
            text="All on this page"
            state={list.selection.pageState}
            onToggle={list.selection.togglePage}
          />
        </span>
      )}
      <SortMenu list={list} />
      <ListPages list={list} />
    </div>
  )
}

function Table<Row>({ list, rows, columns, opens, onOpen, bulk }: TableScreenProps<Row> & { rows: Row[] }) {
  const { title, idOf } = list.list
  return (
    <ResourceTable
      caption={`${title}, ${sortWords(list.list, list.view.sort)}`}
      columns={columns}
      rows={rows}
      keyOf={idOf}
      opens={opens}
      onOpen={onOpen}
      list={list}
      isSelectable={bulk !== undefined}
    />
  )
}

function emptyNotice<Row>({ list, view, page, addressOf }: OpenList<Row>, empty: Notice): Notice {
  const { one, many } = list.things
  const count = page.data?.count ?? 0
  if (count > 0) {
    return {
      title: `There is no page ${view.page}`,
      advice: `All ${count} ${many} stand on the pages before it.`,
      action: <ButtonLink to={addressOf({})}>To the first page</ButtonLink>,
    }
  }
  if (!isNarrowed(view)) return empty
  const what = view.search ? `has “${view.search}” as its ${lowerFirst(list.searches ?? '')}` : 'is like this'
  const which = view.search && Object.keys(view.filters).length > 0 ? ', among those you filtered for' : ''
  return {
    title: 'Nothing found',
    advice: `No ${one} ${what}${which}.`,
    action: <ButtonLink to={addressOf({ search: '', filters: {} })}>Show all {many}</ButtonLink>,
  }
}

/** `Number, name, tracking or lure` in the middle of a sentence. */
function lowerFirst(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1)
}
