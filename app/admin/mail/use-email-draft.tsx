import { useState } from 'react'
import { TextField } from '#app/ui/form/field.tsx'
import { TextArea } from '#app/ui/form/text-area.tsx'
import { emailGreeting } from '#domain/staff-email.ts'
import { shop } from '#shop'

interface EmailDraftOptions {
  subject?: string
  /** The recipient's name; absent for several recipients. */
  name?: string | null
}

/** The fields and state of an e-mail that the user is writing. */
export function useEmailDraft({ subject: suggestedSubject = '', name }: EmailDraftOptions = {}) {
  const [subject, setSubject] = useState(suggestedSubject)
  const [message, setMessage] = useState('')
  const fields = (
    <>
      <TextField label="Subject" value={subject} maxLength={200} onValue={setSubject} />
      <TextArea
        label="Message"
        rows={6}
        hint={framing(message, name)}
        value={message}
        maxLength={10_000}
        onValue={setMessage}
      />
    </>
  )
  const values = { subject: subject.trim(), message: message.trim() }
  return { values, fields, isFilled: values.subject !== '' && values.message !== '' }
}

/** Explains the greeting and signature that the shop adds. */
function framing(message: string, name: string | null | undefined): string {
  const greeting = name === undefined ? 'a greeting with each name' : emailGreeting(message, name)
  const signed = `your name and ${shop.name}`
  return greeting
    ? `The e-mail starts with ${quoted(greeting, name)} and is signed with ${signed}.`
    : `The e-mail is signed with ${signed}.`
}

function quoted(greeting: string, name: string | null | undefined): string {
  return name === undefined ? greeting : `“${greeting}”`
}
