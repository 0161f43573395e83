import { useEffect, useRef } from 'react'
import { Row } from '#app/ui/layout.tsx'
import styles from './list-controls.module.css'

interface Props {
  label: string
  state: boolean | 'mixed'
  isDisabled: boolean
  onToggle: () => void
  /** Visible text beside the box. */
  text?: string
}

/** A checkbox with a touch-sized target and a mixed state. */
export function SelectBox({ label, state, isDisabled, onToggle, text }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'mixed'
  }, [state])

  return (
    <Row as="label" inline gap={2} justify="center" size="s" weight={600} className={styles.selectBox}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={state === true}
        disabled={isDisabled}
        onChange={onToggle}
      />
      {text}
    </Row>
  )
}
