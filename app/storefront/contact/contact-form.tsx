import { loadBackend } from '#app/data/backend.ts'
import { limitSentence } from '#app/data/limit-sentence.ts'
import { Form } from '#app/ui/form/form.tsx'
import { useLazyForm } from '#app/ui/form/use-lazy-form.ts'
import { useTask } from '#app/ui/form/use-task.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { Hint, Pair } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { Contact } from '#domain/validation/contact.ts'
import styles from './contact.module.css'
import { sendMessage } from './send-message.ts'

const EMPTY: Contact = { name: '', email: '', subject: '', message: '' }
const IN_ORDER = ['name', 'email', 'subject', 'message'] as const

const loadValidation = async () => (await import('./validate-contact.ts')).validateContact

export function ContactForm() {
  const toast = useToast()
  const { attachForm, textField, ...form } = useLazyForm(EMPTY, loadValidation)
  const { isBusy, run } = useTask((error) =>
    toast({
      title: 'Failed to send message. Please try again.',
      description: limitSentence(error) ?? undefined,
      tone: 'destructive',
    }),
  )

  // Success empties the form, so nothing can be typed while it is being sent.
  const field = (name: keyof Contact) => ({ ...textField(name), readOnly: isBusy })
  const prepare = () => {
    form.prepare()
    void loadBackend().catch(() => {})
  }
  async function send() {
    const { values, errors } = (await form.loadValidation())(form.typed)
    form.showErrors(errors ?? {})
    if (values) {
      await sendMessage(values)
      form.setTyped(EMPTY)
      return toast({ title: "Thank you! We'll get back to you soon." })
    }
    const messages = IN_ORDER.flatMap((name) => errors?.[name] ?? [])
    const [first, ...others] = messages.map((title) => ({ title, tone: 'destructive' as const }))
    if (first) toast(first, ...others)
  }

  return (
    <Form
      ref={attachForm}
      gap={4}
      justify="start"
      className={styles.form}
      aria-labelledby="write"
      onFocus={prepare}
      onSubmit={() => void run(send)}
    >
      <h2 id="write">Write to us</h2>
      <Pair gap={4}>
        <TextField label="Name" autoComplete="name" required {...field('name')} />
        <TextField label="E-mail" type="email" autoComplete="email" required {...field('email')} />
      </Pair>
      <TextField label="Subject" required {...field('subject')} />
      <TextArea label="Message" rows={7} required {...field('message')} />
      <Button type="submit" look="action" size="large" disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send Message'}
      </Button>
      <Hint>
        We use what you write to answer you, as our <a href="/privacy-policy">Privacy Policy</a> explains.
      </Hint>
    </Form>
  )
}
