import { Row } from './layout.tsx'
import styles from './switch.module.css'

interface Props {
  label: string
  isOn: boolean
  disabled?: boolean
  onSwitch: (isOn: boolean) => void
}

/** Takes effect immediately, unlike a checkbox in a form. */
export function Switch({ label, isOn, disabled, onSwitch }: Props) {
  return (
    <button
      type="button"
      role="switch"
      className={styles.switch}
      aria-label={label}
      aria-checked={isOn}
      disabled={disabled}
      onClick={() => onSwitch(!isOn)}
    />
  )
}

/** A switch with its label beside it. */
export function LabelledSwitch(props: Props) {
  return (
    <Row as="span" touch gap={3}>
      <Switch {...props} /> {props.label}
    </Row>
  )
}
