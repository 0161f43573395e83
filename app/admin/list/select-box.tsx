import { useEffect, useRef } from 'react'
import styles from './list-controls.module.css'

interface Props {
  label: string
  state: boolean | 'mixed'
  onToggle: () => void
  /** Beside the box, where its place does not say what it does. */
  text?: string
}

/** A box as large as a thumb. */
export function SelectBox({ label, state, onToggle, text }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'mixed'
  }, [state])

  return (
    <label className={styles.selectBox}>
      <input ref={box} type="checkbox" aria-label={label} checked={state === true} onChange={onToggle} />
      {text}
    </label>
  )
}
