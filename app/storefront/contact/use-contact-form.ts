import { useCallback, useRef, useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useForm } from '#app/storefront/form/use-form.ts'
import { useToast } from '#app/ui/toaster.tsx'
import type { Contact } from '#domain/validation/contact.ts'
import type { judgeContact } from './judge-contact.ts'
import { sendMessage } from './send-message.ts'

type Judge = typeof judgeContact

const EMPTY: Contact = { name: '', email: '', subject: '', message: '' }
const notJudgedYet = { values: null, errors: null }

const loadJudge = async (): Promise<Judge> => (await import('./judge-contact.ts')).judgeContact

/** The form's state and its sending. What judges and what sends is fetched when somebody begins to write. */
export function useContactForm() {
  const toast = useToast()
  const [judge, setJudge] = useState<Judge | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const isSending = useRef(false)
  const judgeTyped = useCallback((typed: Contact) => judge?.(typed) ?? notJudgedYet, [judge])
  const form = useForm(EMPTY, judgeTyped)

  function prepare() {
    // What fails to load now is fetched again, and told, on sending.
    void Promise.all([loadJudge().then((loaded) => setJudge(() => loaded)), loadBackend()]).catch(() => {})
  }

  /** Sends what was typed, or tells what is wrong with it. */
  async function judgeAndSend() {
    const { values, errors } = (await loadJudge())(form.typed)
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
      await judgeAndSend()
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
