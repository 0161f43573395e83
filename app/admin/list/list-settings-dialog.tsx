import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Choices } from '#app/ui/form/choices.tsx'
import { Hint } from '#app/ui/layout.tsx'
import styles from '../form/form-dialog.module.css'
import type { ListSettings } from './list-settings.ts'
import { RadioGroup } from '#app/ui/form/radio-group.tsx'

interface Props {
  /** The columns that may be hidden, by their labels. */
  columns: string[]
  settings: ListSettings
  onChange: (settings: ListSettings) => void
}

/** Chooses visible columns and row density. Each change is saved immediately. */
export function ListSettingsDialog({ columns, settings, onChange }: Props) {
  const [isOpen, setIsOpen] = useState(false)

  return (
    <>
      <IconButton icon={Columns3} label="Columns and density" onClick={() => setIsOpen(true)} />
      <Dialog title="Columns and density" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        {isOpen && <SettingsForm columns={columns} settings={settings} onChange={onChange} />}
      </Dialog>
    </>
  )
}

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact: more rows on a screen' },
] as const

function SettingsForm({ columns, settings, onChange }: Props) {
  const { hidden_columns: hidden, density } = settings
  const toggle = (label: string) =>
    onChange({
      ...settings,
      hidden_columns: hidden.includes(label) ? hidden.filter((other) => other !== label) : [...hidden, label],
    })

  return (
    <div className={styles.form}>
      <Hint>Saved for you only, on every device you sign in on.</Hint>
      <Choices legend="Columns">
        {columns.map((label) => (
          <label key={label}>
            <input type="checkbox" checked={!hidden.includes(label)} onChange={() => toggle(label)} />
            {label}
          </label>
        ))}
      </Choices>
      <RadioGroup
        name="density"
        legend="Density"
        value={density}
        options={DENSITIES}
        onChange={(chosen) => onChange({ ...settings, density: chosen })}
      />
    </div>
  )
}
