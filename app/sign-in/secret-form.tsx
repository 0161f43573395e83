import { useState, type ComponentProps, type ReactNode } from 'react'
import { autofocusRef } from '#app/ui/autofocus-ref.ts'
import { Button } from '#app/ui/button.tsx'
import { TextField } from '#app/ui/form/field.tsx'
import { Form } from '#app/ui/form/form.tsx'

interface SecretFormProps extends Pick<
  ComponentProps<typeof TextField>,
  'label' | 'hint' | 'type' | 'inputMode' | 'autoComplete' | 'maxLength'
> {
  action?: string
  problem: string | null
  isBusy: boolean
  onSecret: (secret: string) => void
  /** Above the field. */
  children?: ReactNode
}

/** A form that the visitor opened to type a code or a password. */
export function SecretForm({
  action = 'Continue',
  problem,
  isBusy,
  onSecret,
  children,
  ...field
}: SecretFormProps) {
  const [secret, setSecret] = useState('')
  return (
    <Form gap={4} onSubmit={() => !isBusy && secret.trim() && onSecret(secret)}>
      {children}
      <TextField
        // On a page and in a dialog that is open already.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        ref={autofocusRef}
        spellCheck={false}
        autoCapitalize="none"
        required
        {...field}
        error={problem}
        value={secret}
        onValue={setSecret}
      />
      <Button type="submit" look="action" size="large" isWide disabled={isBusy}>
        {isBusy ? 'Checking...' : action}
      </Button>
    </Form>
  )
}
