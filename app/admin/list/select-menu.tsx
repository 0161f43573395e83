import { ChevronDown } from 'lucide-react'
import { classNames } from '#app/ui/class-names.ts'
import styles from './list-controls.module.css'
import type { Choice } from './list.ts'

interface Props {
  label: string
  value: string
  /** Shown while nothing is chosen. */
  placeholder?: string
  choices: readonly Choice[]
  disabled?: boolean
  className?: string
  onChoose: (value: string) => void
}

/** A select that looks like a button. */
export function SelectMenu({ label, value, placeholder, choices, disabled, className, onChoose }: Props) {
  return (
    <span className={classNames(styles.menu, className)}>
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChoose(event.target.value)}
      >
        {value === '' && (
          <option value="" disabled>
            {placeholder}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden />
    </span>
  )
}
