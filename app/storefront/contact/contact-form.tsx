import { Form } from '#app/ui/form/form.tsx'
import { Button } from '#app/ui/button.tsx'
import { TextArea, TextField } from '#app/ui/form/field.tsx'
import { Hint, Stack } from '#app/ui/layout.tsx'
import styles from './contact.module.css'
import { useContactForm } from './use-contact-form.ts'

export function ContactForm() {
  const { attachForm, textField, send, isBusy } = useContactForm()
  return (
    <Form ref={attachForm} className={styles.form} aria-labelledby="write" onSubmit={() => void send()}>
      <h2 id="write">Write to us</h2>
      <Stack gap={4} className={styles.pair}>
        <TextField label="Name" autoComplete="name" required {...textField('name')} />
        <TextField label="E-mail" type="email" autoComplete="email" required {...textField('email')} />
      </Stack>
      <TextField label="Subject" required {...textField('subject')} />
      <TextArea label="Message" rows={7} required {...textField('message')} />
      <Button type="submit" look="action" size="large" disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send Message'}
      </Button>
      <Hint>
        We use what you write to answer you, as our <a href="/privacy-policy">Privacy Policy</a> explains.
      </Hint>
    </Form>
  )
}
