import { X } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { SelectField, TextField } from '#app/ui/form/field.tsx'
import { useStaff } from '../settings/settings.ts'
import { FILTER_TABLES, singularName } from './change-words.ts'
import { historyLink, type HistoryView } from './history-view.ts'
import styles from './history.module.css'

export function HistoryFilter({ view }: { view: HistoryView }) {
  const staff = useStaff()
  const navigate = useNavigate()
  const go = (change: Partial<HistoryView>) => void navigate(historyLink({ ...view, ...change, page: 1 }))
  const people = staff.data ?? []
  const isFormer = view.who !== '' && !people.some(({ id }) => id === view.who)

  return (
    <div role="search" aria-label="Filter the history" className={styles.filter}>
      <SelectField label="Who" value={view.who} onValue={(value) => go({ who: value })}>
        <option value="">Anyone</option>
        {people.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {isFormer && <option value={view.who}>{staff.data ? 'Someone else' : '…'}</option>}
      </SelectField>
      <SelectField label="What" value={view.thing} onValue={(value) => go({ thing: value, row: '' })}>
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
        value={view.from}
        max={view.to || undefined}
        onValue={(value) => go({ from: value })}
      />
      <TextField
        label="To"
        type="date"
        value={view.to}
        min={view.from || undefined}
        onValue={(value) => go({ to: value })}
      />
      {view.row && (
        <Link className={styles.chip} to={historyLink({ ...view, row: '', page: 1 })}>
          One {singularName(view.thing).toLowerCase()} only <X size={16} aria-label="Show all" />
        </Link>
      )}
    </div>
  )
}
