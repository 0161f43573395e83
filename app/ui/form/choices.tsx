import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './choices.module.css'

interface Props {
  legend: string
  className?: string
  /** Labels with their radio buttons or checkboxes. */
  children: ReactNode
}

/** A group of choices below its heading. */
export function Choices({ legend, className, children }: Props) {
  return (
    <fieldset className={classNames(styles.choices, className)}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
