import { ChevronDown, X } from 'lucide-react'
import styles from './list-controls.module.css'
import { ListLink } from './list-link.tsx'
import { filterWords, isNarrowed, type Choice, type ListFilter } from './list.ts'
import type { OpenList } from './use-list.ts'

/** What can be filtered by as menus, what is filtered by as chips that can be taken off again. */
export function ListFilters<Row>({ list }: { list: OpenList<Row> }) {
  const filters = list.list.filters ?? []
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
          <FilterMenu key={filter.name} list={list} filter={filter} choices={filter.choices ?? []} />
        ))}
      {set.length > 0 && isNarrowed(list.view) && (
        <ListLink className={styles.clear} list={list} change={() => ({ filters: {}, search: '' })}>
          Clear all
        </ListLink>
      )}
    </div>
  )
}

function FilterChip<Row>({ list, filter }: { list: OpenList<Row>; filter: ListFilter }) {
  const value = list.view.filters[filter.name] ?? ''
  const words = `${filter.label}: ${filterWords(filter, value) ?? value}`
  return (
    <span className={styles.chip}>
      {words}
      <ListLink
        className={styles.remove}
        list={list}
        change={({ filters: { [filter.name]: _removed, ...filters } }) => ({ filters })}
        aria-label={`Remove the filter ${words}`}
      >
        <X size={16} aria-hidden />
      </ListLink>
    </span>
  )
}

interface MenuProps<Row> {
  list: OpenList<Row>
  filter: ListFilter
  choices: readonly Choice[]
}

function FilterMenu<Row>({ list, filter, choices }: MenuProps<Row>) {
  const choose = (value: string) =>
    list.go(({ filters }) => ({ filters: { ...filters, [filter.name]: value } }))

  return (
    <span className={styles.menu}>
      <select aria-label={filter.label} value="" onChange={(event) => choose(event.target.value)}>
        <option value="" disabled>
          {filter.label}
        </option>
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden />
    </span>
  )
}
