import { useCallback, useState, type FormEvent } from 'react'
import { afterPress } from '#app/ui/after-press.ts'
import type { FieldErrors } from '#domain/validation/schema.ts'

type Judgement<Typed> = { values: unknown; errors: null } | { values: null; errors: FieldErrors<Typed> }

/**
 * A form that tells a mistake when the field is left and, all at once, when it is sent; the first wrong field then has the focus.
 * What was wrong is judged again with each key, so that a message goes the moment it is no longer true. A field that is left by a
 * press is judged after it, or the message would move the pressed button away.
 */
export function useForm<Typed extends Record<string, string | boolean>>(
  initial: Typed,
  judgeTyped: (typed: Typed) => Judgement<Typed>,
) {
  const [form, attachForm] = useState<HTMLFormElement | null>(null)
  const [typed, setTyped] = useState(initial)
  const [errors, setErrors] = useState<FieldErrors<Typed>>({})

  const judgeField = useCallback(
    (name: keyof Typed, now: Typed) => {
      const error = judgeTyped(now).errors?.[name]
      setErrors((before) => ({ ...before, [name]: error }))
    },
    [judgeTyped],
  )

  function change(name: keyof Typed, value: string | boolean) {
    // Two fields may change at one event, one of them because of the other.
    setTyped((before) => ({ ...before, [name]: value }))
    if (errors[name]) judgeField(name, { ...typed, [name]: value })
  }

  /** What an input needs to be a field of this form. */
  function field<Name extends keyof Typed & string>(name: Name) {
    return {
      name,
      error: errors[name],
      onBlur: () => {
        // Tabbing past an empty field is no mistake yet.
        if (typed[name] !== initial[name] || errors[name]) afterPress(() => judgeField(name, typed))
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

  /** Judges everything; `false` when something is wrong, which is then shown and focused. */
  function isAccepted(): boolean {
    const { errors: found } = judgeTyped(typed)
    showErrors(found ?? {})
    return !found
  }

  function showErrors(found: FieldErrors<Typed>, { takesFocus = true } = {}) {
    setErrors(found)
    if (!takesFocus) return
    // In the order of the page, which is the order in which a person reads.
    const first = [...(form?.elements ?? [])].find(
      (element) => element instanceof HTMLElement && found[element.getAttribute('name') ?? ''],
    )
    if (first instanceof HTMLElement) first.focus()
  }

  function focus(name: keyof Typed & string) {
    const found = form?.elements.namedItem(name)
    const control = found instanceof RadioNodeList ? found[0] : found
    if (control instanceof HTMLElement) control.focus()
  }

  return { attachForm, focus, typed, setTyped, errors, change, field, textField, isAccepted, showErrors }
}
