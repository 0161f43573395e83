import { X } from 'lucide-react'
import styles from './list-controls.module.css'
import { ListLink } from './list-link.tsx'
import { filterLabel, isFiltered, type Choice, type ListFilter } from './list.ts'
import type { ListState } from './use-list.ts'
import { SelectMenu } from './select-menu.tsx'

/** Shows available filters as menus and active filters as removable chips. */
export function ListFilters<Row>({ list }: { list: ListState<Row> }) {
  const filters = list.definition.filters ?? []
  const set = filters.filter(({ name }) => list.view.filters[name])
  if (filters.length === 0) return null

  return (
    <div className={styles.filters} role="group" aria-label="Filters">
      {set.map((filter) => (
        <FilterChip key={filter.name} list={list} filter={filter} />
      ))}
      {filters
        .filter((filter) => filter.choices && !set.includes(filter))
        .map((filter) => (
          <UnsetFilter key={filter.name} list={list} filter={filter} choices={filter.choices ?? []} />
        ))}
      {set.length > 0 && isFiltered(list.view) && (
        <ListLink className={styles.clear} list={list} change={() => ({ filters: {}, search: '' })}>
          Clear all
        </ListLink>
      )}
    </div>
  )
}

function FilterChip<Row>({ list, filter }: { list: ListState<Row>; filter: ListFilter }) {
  const value = list.view.filters[filter.name] ?? ''
  const text = `${filter.label}: ${filterLabel(filter, value) ?? value}`
  const choices = filter.choices ?? []
  return (
    <span className={styles.chip}>
      {choices.length > 1 ? <FilterMenu list={list} filter={filter} choices={choices} value={value} /> : text}
      <ListLink
        className={styles.remove}
        list={list}
        change={({ filters: { [filter.name]: _removed, ...filters } }) => ({ filters })}
        aria-label={`Remove the filter ${text}`}
      >
        <X size={16} aria-hidden />
      </ListLink>
    </span>
  )
}

/** A filter with a single choice is a toggle instead of a menu. */
function UnsetFilter<Row>({ list, filter, choices }: MenuProps<Row>) {
  const [only] = choices
  if (!only || choices.length > 1) return <FilterMenu list={list} filter={filter} choices={choices} />
  return (
    <ListLink
      className={styles.toggle}
      list={list}
      change={({ filters }) => ({ filters: { ...filters, [filter.name]: only.value } })}
    >
      {filter.label}
    </ListLink>
  )
}

interface MenuProps<Row> {
  list: ListState<Row>
  filter: ListFilter
  choices: readonly Choice[]
  /** Set for an active filter. */
  value?: string
}

function FilterMenu<Row>({ list, filter, choices, value = '' }: MenuProps<Row>) {
  const choose = (choice: string) =>
    list.go(({ filters }) => ({ filters: { ...filters, [filter.name]: choice } }))

  return (
    <SelectMenu
      label={filter.label}
      value={value}
      placeholder={filter.label}
      choices={
        value ? choices.map((choice) => ({ ...choice, label: `${filter.label}: ${choice.label}` })) : choices
      }
      onChoose={choose}
    />
  )
}
