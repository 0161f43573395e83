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
import { ResourceTable, type TableColumn, type Opening } from './resource-table.tsx'
import type { NamedView } from './saved-views.ts'
import { SelectBox } from './select-box.tsx'
import type { ListState } from './use-list.ts'
import { Row } from '#app/ui/layout.tsx'

interface ScreenProps<Row> {
  list: ListState<Row>
  /** Shown when the list has no rows at all. */
  empty: EmptyState
  /** Shown beside the title. */
  action?: ReactNode
  /** Shown between the title and the tabs of saved views. */
  above?: ReactNode
  /** Views for everyone; personal views are listed after them. */
  views?: readonly NamedView[]
  /** The `SelectionBar` with the actions for selected rows, and their dialogs; without it, rows cannot be selected. */
  bulk?: (list: ListState<Row>) => ReactNode
}

interface TableScreenProps<Row> extends ScreenProps<Row> {
  columns: TableColumn<Row>[]
  /** A compact card for narrow screens, where all columns would fill the screen. */
  renderCard?: (row: Row) => ReactNode
  /** The link target of a row. */
  opens?: (row: Row) => Opening
  /** For rows that open a dialog without a URL. */
  onOpen?: (row: Row) => void
  children?: undefined
}

interface CustomScreenProps<Row> extends ScreenProps<Row> {
  /** Renders the rows, for example as cards. */
  children: (rows: Row[]) => ReactNode
}

/** The width at which `resource-table.module.css` turns rows into cards. */
const NARROW = '(max-width: 960px)'

/** A complete list page: title, views, search, filters, rows, pagination and selection. */
export function ListScreen<Row>(props: TableScreenProps<Row> | CustomScreenProps<Row>) {
  const { list, empty, action, above, views, bulk } = props
  const hasCards = useMediaQuery(NARROW) && !props.children && props.renderCard !== undefined
  const columns = props.children || hasCards ? [] : props.columns
  const { settings, isPending, change } = useListSettings(list.definition.name)

  return (
    <ResourceList
      title={list.definition.title}
      query={list.page}
      isWaiting={isPending}
      rowsOf={({ rows }) => rows}
      empty={emptyStateOf(list, empty)}
      action={action}
      filter={
        <>
          {above}
          {views && <ListViews list={list} views={views} />}
          <Row gap={3} wrap className={styles.controls}>
            {list.definition.searchPlaceholder && <ListSearch list={list} />}
            <ListFilters list={list} />
            <Toolbar list={list} isSelectable={bulk !== undefined}>
              {columns.length > 0 && (
                <ListSettingsDialog
                  columns={columns.filter(isHideable).map(({ label }) => label)}
                  settings={settings}
                  onChange={change}
                />
              )}
            </Toolbar>
          </Row>
        </>
      }
      // Not beside the rows: a dialog must stay when the last of them leaves the list.
      below={bulk?.(list)}
    >
      {(rows) => (
        <>
          {props.children ? (
            props.children(rows)
          ) : (
            <Table {...props} rows={rows} settings={settings} hasCards={hasCards} />
          )}
          <ListPages list={list} isBelow />
        </>
      )}
    </ResourceList>
  )
}

interface ToolbarProps<Row> {
  list: ListState<Row>
  isSelectable: boolean
  children: ReactNode
}

function Toolbar<Row>({ list, isSelectable, children }: ToolbarProps<Row>) {
  const count = list.page.data?.rows.length ?? 0
  return (
    <Row gap={2} columnGap={4} wrap touch className={styles.toolbar}>
      {isSelectable && count > 0 && (
        <span className={styles.selectPage}>
          <SelectBox
            label={`Select all ${list.definition.noun.plural} on this page`}
            text="All on this page"
            state={list.selection.pageState}
            isDisabled={!list.selection.isReady}
            onToggle={list.selection.togglePage}
          />
        </span>
      )}
      <SortMenu list={list} />
      <Row gap={4} justify="end" className={styles.position}>
        <ListPages list={list} />
        {children}
      </Row>
    </Row>
  )
}

/** The first column identifies the row, so it and the actions always stay visible. */
function isHideable<Row>({ kind }: TableColumn<Row>, index: number): boolean {
  return index > 0 && kind !== 'actions'
}

type TableProps<Row> = TableScreenProps<Row> & { rows: Row[]; settings: ListSettings; hasCards: boolean }

function Table<Row>({ list, rows, settings, opens, onOpen, bulk, ...table }: TableProps<Row>) {
  const { title, idOf } = list.definition
  return (
    <ResourceTable
      caption={`${title}, ${sortLabel(list.definition, list.view.sort)}`}
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
): TableColumn<Row>[] {
  if (hasCards && renderCard) return [{ label: 'Summary', kind: 'card', cell: renderCard }]
  return columns.filter((column, index) => !isHideable(column, index) || !hidden.includes(column.label))
}

/** Returns what replaces a list without rows: beyond its last page, without a match, or empty. */
export function emptyStateOf<Row>(
  { definition, view, page, addressOf }: ListState<Row>,
  empty: EmptyState,
): EmptyState {
  const { singular, plural } = definition.noun
  const count = page.data?.count ?? 0
  if (count > 0) {
    return {
      title: `There is no page ${view.page}`,
      advice: `All ${countText(count)} ${plural} are on earlier pages.`,
      action: <ButtonLink to={addressOf({})}>Go to the first page</ButtonLink>,
    }
  }
  if (!isFiltered(view)) return empty
  const hasFilters = Object.keys(view.filters).length > 0
  const criteria = [view.search && `“${view.search}”`, hasFilters && 'these filters'].filter(Boolean)
  const coverage = view.search ? ` The search covers ${lowerFirst(definition.searchPlaceholder ?? '')}.` : ''
  return {
    title: 'Nothing found',
    advice: `No ${singular} matches ${criteria.join(' and ')}.${coverage}`,
    action: (
      <ButtonLink to={addressOf({ search: '', filters: definition.allRows ?? {} })}>
        Show all {plural}
      </ButtonLink>
    ),
  }
}

/** `Number, name, tracking or lure` in the middle of a sentence. */
function lowerFirst(words: string): string {
  return words.slice(0, 1).toLowerCase() + words.slice(1)
}
