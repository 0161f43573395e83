import { ChevronDown } from 'lucide-react'
import { useId, useState, type ComponentProps, type InvalidEvent, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './field.module.css'

interface FieldProps {
  label: ReactNode
  /** Shown under the field; marks the field as invalid. */
  error?: string | null
  hint?: ReactNode
  isOptional?: boolean
}

interface ValueProps {
  /** Called with the new value on each change. */
  onValue?: (value: string) => void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Connects label, hint and error with their control. Shows the browser's validation message as the field's error, because the
 * browser's own bubble disappears after seconds and may cover the field.
 */
function useField({ id, error: ownError, hint }: { id?: string } & Pick<FieldProps, 'error' | 'hint'>) {
  const generated = useId()
  const [browserError, setBrowserError] = useState<string | null>(null)
  const error = ownError || browserError
  const fieldId = id ?? generated
  const describedBy = classNames(hint != null && `${fieldId}-hint`, error && `${fieldId}-error`)
  return {
    fieldId,
    error,
    control: {
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

function FieldFrame({
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
  label,
  error: given,
  hint,
  isOptional,
  id,
  className,
  onValue,
  ...rest
}: FieldProps & ValueProps & ComponentProps<'input'>) {
  const { fieldId, error, control } = useField({ id, error: given, hint })
  return (
    <FieldFrame {...{ fieldId, label, error, hint, isOptional }}>
      <input
        className={classNames(styles.input, className)}
        inputMode={rest.type === 'email' ? 'email' : rest.type === 'tel' ? 'tel' : undefined}
        data-empty={rest.value === '' || undefined}
        onChange={onValue && ((event) => onValue(event.target.value))}
        {...rest}
        {...control}
      />
    </FieldFrame>
  )
}

export function TextArea({
  label,
  error: given,
  hint,
  isOptional,
  id,
  className,
  onValue,
  ...rest
}: FieldProps & ValueProps & ComponentProps<'textarea'>) {
  const { fieldId, error, control } = useField({ id, error: given, hint })
  return (
    <FieldFrame {...{ fieldId, label, error, hint, isOptional }}>
      <textarea
        className={classNames(styles.input, className)}
        onChange={onValue && ((event) => onValue(event.target.value))}
        {...rest}
        {...control}
      />
    </FieldFrame>
  )
}

/** `children` are the `<option>`s. */
export function SelectField({
  label,
  error: given,
  hint,
  isOptional,
  id,
  className,
  onValue,
  ...rest
}: FieldProps & ValueProps & ComponentProps<'select'>) {
  const { fieldId, error, control } = useField({ id, error: given, hint })
  return (
    <FieldFrame {...{ fieldId, label, error, hint, isOptional }}>
      <div className={styles.selectFrame}>
        <select
          className={classNames(styles.input, className)}
          onChange={onValue && ((event) => onValue(event.target.value))}
          {...rest}
          {...control}
        />
        <ChevronDown size={20} aria-hidden />
      </div>
    </FieldFrame>
  )
}

export function Checkbox({
  label,
  error: given,
  hint,
  id,
  onCheck,
  ...rest
}: Omit<FieldProps, 'isOptional'> & { onCheck?: (isChecked: boolean) => void } & ComponentProps<'input'>) {
  const { fieldId, error, control } = useField({ id, error: given, hint })
  return (
    <div className={styles.field}>
      <label className={styles.checkbox}>
        <input
          type="checkbox"
          onChange={onCheck && ((event) => onCheck(event.target.checked))}
          {...rest}
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
