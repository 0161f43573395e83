import { X } from 'lucide-react'
import { Link } from 'react-router'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { useStaff } from '../settings/settings.ts'
import type { ListCriteria } from '../list/list.ts'
import type { ListState } from '../list/use-list.ts'
import { FILTER_TABLES, singularName, type Change } from './change-words.ts'
import styles from './history.module.css'
import { Grid } from '#app/ui/layout.tsx'

export function HistoryFilter({ list }: { list: ListState<Change> }) {
  const staff = useStaff()
  const { who = '', thing = '', row, from = '', to = '' } = list.view.filters
  const go = (change: ListCriteria['filters']) =>
    list.go(({ filters }) => ({ filters: { ...filters, ...change } }))
  const people = staff.data ?? []
  const isFormer = who !== '' && !people.some(({ id }) => id === who)

  return (
    <Grid
      columns="repeat(auto-fit, minmax(min(150px, 100%), 1fr))"
      gap={3}
      align="end"
      narrow
      role="search"
      aria-label="Filter the history"
    >
      <SelectField
        label="Who"
        hint={staff.isError ? 'The names could not be loaded.' : undefined}
        value={who}
        onValue={(value) => go({ who: value })}
      >
        <option value="">Anyone</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {isFormer && <option value={who}>{staff.data ? 'Someone else' : '…'}</option>}
      </SelectField>
      <SelectField label="What" value={thing} onValue={(value) => go({ thing: value, row: '' })}>
        <option value="">Anything</option>
        {FILTER_TABLES.map(([table, name]) => (
          <option key={table} value={table}>
            {table === 'contact_answers' ? 'Message' : name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="From"
        type="date"
        value={from}
        max={to || undefined}
        onValue={(value) => go({ from: value })}
      />
      <TextField
        label="To"
        type="date"
        value={to}
        min={from || undefined}
        onValue={(value) => go({ to: value })}
      />
      {row && (
        <Link className={styles.chip} to={list.addressOf({ filters: { who, thing, from, to } })}>
          One {singularName(thing).toLowerCase()} only <X size={16} aria-label="Show all" />
        </Link>
      )}
    </Grid>
  )
}
