import { useState } from 'react'
import { TextArea, TextField } from '#app/ui/field.tsx'

/** A mail in the making: its fields, what stands in them, and whether both are filled. */
export function useLetter(suggestedSubject = '') {
  const [subject, setSubject] = useState(suggestedSubject)
  const [message, setMessage] = useState('')
  const fields = (
    <>
      <TextField
        label="Subject"
        value={subject}
        maxLength={200}
        onChange={(event) => setSubject(event.target.value)}
      />
      <TextArea
        label="Message"
        rows={6}
        value={message}
        maxLength={10_000}
        onChange={(event) => setMessage(event.target.value)}
      />
    </>
  )
  return { subject, message, fields, isFilled: subject.trim() !== '' && message.trim() !== '' }
}
