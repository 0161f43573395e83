import { useCallback, useState, type FormEvent } from 'react'
import { afterPress } from '#app/ui/after-press.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'

export type Validation<Typed, Values> =
  | { values: Values; errors: null }
  | { values: null; errors: FieldErrors<Typed> }

/**
 * Validates a field on blur and the whole form on submit, which focuses the first invalid field. A field with an error is validated
 * again on each change, so that the message disappears as soon as the value is valid. A blur that a press causes is validated after the press:
 * the message would otherwise move the button from under the pointer.
 */
export function useForm<Typed extends Record<string, string | boolean>, Values = unknown>(
  initial: Typed,
  validate: (typed: Typed) => Validation<Typed, Values>,
) {
  const [form, attachForm] = useState<HTMLFormElement | null>(null)
  const [typed, setTyped] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<Typed>>({})

  const validateField = useCallback(
    (name: keyof Typed, current: Typed) => {
      const error = validate(current).errors?.[name]
      setErrors((previous) => ({ ...previous, [name]: error }))
    },
    [validate],
  )

  function change(name: keyof Typed, value: string | boolean) {
    // One event may change two fields, so update from the previous state.
    setTyped((previous) => ({ ...previous, [name]: value }))
    if (errors[name]) validateField(name, { ...typed, [name]: value })
  }

  function field<Name extends keyof Typed & string>(name: Name) {
    return {
      name,
      error: errors[name],
      onBlur: () => {
        // Tabbing past an untouched field is not an error.
        if (typed[name] !== initial[name] || errors[name]) afterPress(() => validateField(name, typed))
      },
    }
  }

  function textField<Name extends keyof Typed & string>(name: Name) {
    return {
      ...field(name),
      value: String(typed[name]),
      onChange: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        change(name, event.currentTarget.value),
    }
  }

  function showErrors(invalid: FieldErrors<Typed>, { movesFocus = true } = {}) {
    setErrors(invalid)
    if (!movesFocus) return
    // The first in page order.
    const first = [...(form?.elements ?? [])].find(
      (element) => element instanceof HTMLElement && invalid[element.getAttribute('name') ?? ''],
    )
    if (first instanceof HTMLElement) first.focus()
  }

  /** Properties of a form that calls `send` with valid values, and otherwise shows the errors and focuses the first field with one. */
  function formProps(send: (values: NonNullable<Values>) => unknown) {
    const onSubmit = () => {
      const { values, errors: invalid } = validate(typed)
      showErrors(invalid ?? {})
      if (values) send(values)
    }
    return { ref: attachForm, onSubmit }
  }

  function focus(name: keyof Typed & string) {
    const item = form?.elements.namedItem(name)
    const control = item instanceof RadioNodeList ? item[0] : item
    if (control instanceof HTMLElement) control.focus()
  }

  return { attachForm, formProps, focus, typed, setTyped, errors, change, field, textField, showErrors }
}
