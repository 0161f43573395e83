import type { ReactNode } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { useMediaQuery } from '#app/ui/use-media-query.ts'
import styles from './list-controls.module.css'
import { ListFilters } from './list-filters.tsx'
import { ListPages } from './list-pages.tsx'
import { ListSearch } from './list-search.tsx'
import { ListSettingsDialog } from './list-settings-dialog.tsx'
import { useListSettings, type ListSettings } from './list-settings.ts'
import { SortMenu } from './list-sort.tsx'
import { ListViews } from './list-views.tsx'
import { countText, isFiltered, sortLabel } from './list.ts'
import { ResourceList, type EmptyState } from './resource-list.tsx'
import { ResourceTable, type Column, type Opening } from './resource-table.tsx'
import type { NamedView } from './saved-views.ts'
import { SelectBox } from './select-box.tsx'
import { SelectionBar } from './selection-bar.tsx'
import type { Selection } from './selection.ts'
import type { OpenList } from './use-list.ts'

interface ScreenProps<Row> {
  list: OpenList<Row>
  /** What stands in place of a list that has nothing at all: what belongs here, and what to do. */
  empty: EmptyState
  /** Beside the title: the one thing to do with the whole list. */
  action?: ReactNode
  /** Between title and views. */
  above?: ReactNode
  /** Searches and filters that everybody wants by name; own ones are kept beside them. */
  views?: readonly NamedView[]
  /** What can be done with the rows that are ticked; without it none can be. */
  bulk?: (selection: Selection<Row>) => ReactNode
}

interface TableScreenProps<Row> extends ScreenProps<Row> {
  columns: Column<Row>[]
  /** What a row shows on a narrow screen in place of its columns, where these would make a card as tall as the screen. */
  renderCard?: (row: Row) => ReactNode
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

/** The width at which `resource-table.module.css` turns rows into cards. */
const NARROW = '(max-width: 960px)'

/** A whole list: title, views, search, filters, rows, pages, and what is ticked, in each of its states. */
export function ListScreen<Row>(props: TableScreenProps<Row> | OwnScreenProps<Row>) {
  const { list, empty, action, above, views, bulk } = props
  const hasCards = useMediaQuery(NARROW) && !props.children && props.renderCard !== undefined
  const columns = props.children || hasCards ? [] : props.columns
  const { settings, isPending, change } = useListSettings(list.list.name)

  return (
    <ResourceList
      title={list.list.title}
      query={list.page}
      isWaiting={isPending}
      rowsOf={({ rows }) => rows}
      empty={emptyStateOf(list, empty)}
      action={action}
      filter={
        <>
          {above}
          {views && <ListViews list={list} views={views} />}
          <div className={styles.controls}>
            {list.list.searchPlaceholder && <ListSearch list={list} />}
            <ListFilters list={list} />
            <Arrangement list={list} isSelectable={bulk !== undefined}>
              {columns.length > 0 && (
                <ListSettingsDialog
                  columns={columns.filter(mayHide).map(({ label }) => label)}
                  settings={settings}
                  onChange={change}
                />
              )}
            </Arrangement>
          </div>
        </>
      }
    >
      {(rows) => (
        <>
          {props.children ? (
            props.children(rows)
          ) : (
            <Table {...props} rows={rows} settings={settings} hasCards={hasCards} />
          )}
          <ListPages list={list} isBelow />
          {bulk && <SelectionBar list={list}>{bulk(list.selection)}</SelectionBar>}
        </>
      )}
    </ResourceList>
  )
}

interface ArrangementProps<Row> {
  list: OpenList<Row>
  isSelectable: boolean
  children: ReactNode
}

/** How much there is, in which order, from where to where. */
function Arrangement<Row>({ list, isSelectable, children }: ArrangementProps<Row>) {
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
      <div className={styles.position}>
        <ListPages list={list} />
        {children}
      </div>
    </div>
  )
}

/** The first column says which row it is, the actions what to do with it. */
function mayHide<Row>({ kind }: Column<Row>, index: number): boolean {
  return index > 0 && kind !== 'actions'
}

type TableProps<Row> = TableScreenProps<Row> & { rows: Row[]; settings: ListSettings; hasCards: boolean }

function Table<Row>({ list, rows, settings, opens, onOpen, bulk, ...table }: TableProps<Row>) {
  const { title, idOf } = list.list
  return (
    <ResourceTable
      caption={`${title}, ${sortLabel(list.list, list.view.sort)}`}
      columns={shownColumns(table, settings)}
      rows={rows}
      keyOf={idOf}
      opens={opens}
      onOpen={onOpen}
      list={list}
      isSelectable={bulk !== undefined}
      density={settings.density}
    />
  )
}

function shownColumns<Row>(
  { columns, renderCard, hasCards }: Pick<TableProps<Row>, 'columns' | 'renderCard' | 'hasCards'>,
  { hidden_columns: hidden }: ListSettings,
): Column<Row>[] {
  if (hasCards && renderCard) return [{ label: 'Summary', kind: 'card', cell: renderCard }]
  return columns.filter((column, index) => !mayHide(column, index) || !hidden.includes(column.label))
}

function emptyStateOf<Row>({ list, view, page, addressOf }: OpenList<Row>, empty: EmptyState): EmptyState {
  const { one, many } = list.things
  const count = page.data?.count ?? 0
  if (count > 0) {
    return {
      title: `There is no page ${view.page}`,
      advice: `All ${countText(count)} ${many} are on the pages before it.`,
      action: <ButtonLink to={addressOf({})}>To the first page</ButtonLink>,
    }
  }
  if (!isFiltered(view)) return empty
  const what = view.search
    ? `has “${view.search}” as its ${lowerFirst(list.searchPlaceholder ?? '')}`
    : 'is like this'
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
