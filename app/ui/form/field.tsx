import { ChevronDown } from 'lucide-react'
import { useId, useState, type ComponentProps, type InvalidEvent, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'

export interface FieldProps {
  label: ReactNode
  /** Shown under the field; marks the field as invalid. */
  error?: string | null
  hint?: ReactNode
  isOptional?: boolean
}

export interface ValueProps {
  /** Called with the new value on each change. */
  onValue?: (value: string) => void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Connects label, hint and error with their control. Shows the browser's validation message as the field's error, because the
 * browser's own bubble disappears after seconds and may cover the field.
 */
export function useField<Rest extends object>({
  label,
  error: ownError,
  hint,
  isOptional,
  id,
  ...rest
}: Rest & FieldProps & { id?: string }) {
  const generated = useId()
  const [browserError, setBrowserError] = useState<string | null>(null)
  const error = ownError || browserError
  const fieldId = id ?? generated
  const describedBy = classNames(hint != null && `${fieldId}-hint`, error && `${fieldId}-error`)
  return {
    frame: { fieldId, label, error, hint, isOptional },
    control: {
      ...rest,
      onInvalid: (event: InvalidEvent<Control>) => {
        const field = event.currentTarget
        event.preventDefault()
        setBrowserError(field.validationMessage)
        // Preventing the bubble also prevents the browser from moving the focus.
        if (field.form?.querySelector(':invalid:not(fieldset)') === field) field.focus()
      },
      onInput: () => setBrowserError(null),
      id: fieldId,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': describedBy || undefined,
    },
  }
}

export function FieldFrame({
  fieldId,
  label,
  error,
  hint,
  isOptional,
  children,
}: FieldProps & { fieldId: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={fieldId}>
        {label}
        {isOptional && <span className={styles.optional}> (optional)</span>}
      </label>
      {hint != null && (
        <div className={styles.hint} id={`${fieldId}-hint`}>
          {hint}
        </div>
      )}
      {children}
      <FieldError fieldId={fieldId} error={error} />
    </div>
  )
}

function FieldError({ fieldId, error }: { fieldId: string; error?: string | null }) {
  if (!error) return null
  return (
    <p className={styles.error} id={`${fieldId}-error`}>
      {error}
    </p>
  )
}

export function TextField({
  className,
  onValue,
  ...props
}: FieldProps & ValueProps & ComponentProps<'input'>) {
  const { frame, control } = useField(props)
  return (
    <FieldFrame {...frame}>
      <input
        className={classNames(styles.input, className)}
        inputMode={props.type === 'email' ? 'email' : props.type === 'tel' ? 'tel' : undefined}
        data-empty={props.value === '' || undefined}
        onChange={onValue && ((event) => onValue(event.target.value))}
        {...control}
      />
    </FieldFrame>
  )
}

/** `children` are the `<option>`s. */
export function SelectField({
  className,
  onValue,
  ...props
}: FieldProps & ValueProps & ComponentProps<'select'>) {
  const { frame, control } = useField(props)
  return (
    <FieldFrame {...frame}>
      <div className={styles.selectFrame}>
        <select
          className={classNames(styles.input, className)}
          onChange={onValue && ((event) => onValue(event.target.value))}
          {...control}
        />
        <ChevronDown size={20} aria-hidden />
      </div>
    </FieldFrame>
  )
}

export function Checkbox({
  onCheck,
  ...props
}: Omit<FieldProps, 'isOptional'> & { onCheck?: (isChecked: boolean) => void } & ComponentProps<'input'>) {
  const { frame, control } = useField(props)
  const { fieldId, label, error, hint } = frame
  return (
    <div className={styles.field}>
      <label className={styles.checkbox}>
        <input
          type="checkbox"
          onChange={onCheck && ((event) => onCheck(event.target.checked))}
          {...control}
        />
        <span>
          {label}
          {hint != null && (
            <span className={styles.hint} id={`${fieldId}-hint`}>
              {' '}
              {hint}
            </span>
          )}
        </span>
      </label>
      <FieldError fieldId={fieldId} error={error} />
    </div>
  )
}
