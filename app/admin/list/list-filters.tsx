import { ChevronDown, X } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import styles from './list-controls.module.css'
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
        <Link className={styles.clear} to={list.addressOf({ filters: {}, search: '' })} preventScrollReset>
          Clear all
        </Link>
      )}
    </div>
  )
}

function FilterChip<Row>({ list, filter }: { list: OpenList<Row>; filter: ListFilter }) {
  const { [filter.name]: value = '', ...others } = list.view.filters
  const words = `${filter.label}: ${filterWords(filter, value) ?? value}`
  return (
    <span className={styles.chip}>
      {words}
      <Link
        className={styles.remove}
        to={list.addressOf({ filters: others })}
        aria-label={`Remove the filter ${words}`}
        preventScrollReset
      >
        <X size={16} aria-hidden />
      </Link>
    </span>
  )
}

interface MenuProps<Row> {
  list: OpenList<Row>
  filter: ListFilter
  choices: readonly Choice[]
}

function FilterMenu<Row>({ list, filter, choices }: MenuProps<Row>) {
  const navigate = useNavigate()
  const choose = (value: string) =>
    void navigate(list.addressOf({ filters: { ...list.view.filters, [filter.name]: value } }), {
      preventScrollReset: true,
    })

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
