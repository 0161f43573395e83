import { useCallback, useRef, useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { useForm } from '#app/ui/form/use-form.ts'
import { useToast } from '#app/ui/toaster.tsx'
import type { Contact } from '#domain/validation/contact.ts'
import type { validateContact } from './validate-contact.ts'
import { sendMessage } from './send-message.ts'

type ValidateContact = typeof validateContact

const EMPTY: Contact = { name: '', email: '', subject: '', message: '' }
const notValidated = { values: null, errors: null }

const loadValidation = async (): Promise<ValidateContact> =>
  (await import('./validate-contact.ts')).validateContact

/** The form's state and its submission. Validation and the backend client load when a field first gets the focus. */
export function useContactForm() {
  const toast = useToast()
  const [loaded, setLoaded] = useState<ValidateContact | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const isSending = useRef(false)
  const validate = useCallback((typed: Contact) => loaded?.(typed) ?? notValidated, [loaded])
  const form = useForm(EMPTY, validate)

  function prepare() {
    // A failed import is retried, and reported, when the form is sent.
    void Promise.all([loadValidation().then((imported) => setLoaded(() => imported)), loadBackend()]).catch(
      () => {},
    )
  }

  async function validateAndSend() {
    const { values, errors } = (await loadValidation())(form.typed)
    form.showErrors(errors ?? {})
    if (values) {
      await sendMessage(values)
      form.setTyped(EMPTY)
      toast({ title: "Thank you! We'll get back to you soon." })
      return
    }
    const messages = fieldsInOrder.flatMap((name) => errors[name] ?? [])
    const [first, ...others] = messages.map((title) => ({ title, tone: 'destructive' as const }))
    if (first) toast(first, ...others)
  }

  async function send() {
    if (isSending.current) return
    isSending.current = true
    setIsBusy(true)
    try {
      await validateAndSend()
    } catch (error) {
      console.error(error)
      toast({ title: 'Failed to send message. Please try again.', tone: 'destructive' })
    } finally {
      isSending.current = false
      setIsBusy(false)
    }
  }

  const textField = (name: keyof Contact) => ({ ...form.textField(name), onFocus: prepare })

  return { attachForm: form.attachForm, textField, send, isBusy }
}

const fieldsInOrder = ['name', 'email', 'subject', 'message'] as const
