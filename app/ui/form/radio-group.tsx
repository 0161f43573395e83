import { Choices } from './choices.tsx'

interface Props<Value> {
  name: string
  legend: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

export function RadioGroup<Value>({ name, legend, value: chosen, options, onChange }: Props<Value>) {
  return (
    <Choices legend={legend}>
      {options.map(({ value, label }) => (
        <label key={label}>
          <input type="radio" name={name} checked={chosen === value} onChange={() => onChange(value)} />{' '}
          {label}
        </label>
      ))}
    </Choices>
  )
}
