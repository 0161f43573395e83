import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { FieldFrame, useField, type FieldProps, type ValueProps } from './field.tsx'
import styles from './field.module.css'

export function TextArea({
  className,
  onValue,
  ...props
}: FieldProps & ValueProps & ComponentProps<'textarea'>) {
  const { frame, control } = useField(props)
  return (
    <FieldFrame {...frame}>
      <textarea
        className={classNames(styles.input, className)}
        onChange={onValue && ((event) => onValue(event.target.value))}
        {...control}
      />
    </FieldFrame>
  )
}
