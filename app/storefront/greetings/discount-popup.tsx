import { useEffect, useRef, useState } from 'react'
import { Form } from '#app/ui/form/form.tsx'
import {
  newsProblem,
  signUpForNewsletter,
  typedEmail,
} from '#app/storefront/newsletter/sign-up-for-newsletter.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { useTask } from '#app/ui/form/use-task.ts'
import { Pair, Stack } from '#app/ui/layout.tsx'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { MARKETING_WORDING } from '#domain/marketing.ts'
import { alreadyClaimed, parseEmail, invalidEmailError } from '#domain/validation/newsletter.ts'
import { shop } from '#shop'
import styles from './discount-popup.module.css'

const { percent, fromRand } = shop.welcomeOffer

/** First asks for an address, then shows the code. */
export function DiscountPopup({ onClose }: { onClose: () => void }) {
  const toast = useToast()
  const [isClaimed, setIsClaimed] = useState(false)
  // An address gets the code once: a popup that is closed while it claims would use the address up and never show the code.
  const task = useTask(() => toast(errorToast('Something went wrong. Please try again.')))
  return (
    <Dialog
      title={`${percent}% off your first order`}
      isOpen
      isBusy={task.isBusy}
      onClose={onClose}
      width={480}
    >
      {isClaimed ? (
        <Code onClose={onClose} />
      ) : (
        <Claim task={task} onClaimed={() => setIsClaimed(true)} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface ClaimProps {
  task: ReturnType<typeof useTask>
  onClaimed: () => void
  onClose: () => void
}

function Claim({ task: { isBusy, run }, onClaimed, onClose }: ClaimProps) {
  const toast = useToast()
  const [error, setError] = useState<string | null>(null)

  async function claim(form: HTMLFormElement) {
    const fields = new FormData(form)
    const email = parseEmail(typedEmail(fields))
    const signUp = email && { email, wantsNews: fields.has('marketing'), acceptsTerms: false }
    setError(null)
    const signedUp = signUp && (await signUpForNewsletter({ ...signUp, source: 'popup' }))
    if (signedUp && !signedUp.isKnown) {
      const unsubscribed = newsProblem({ ...signUp, ...signedUp })
      if (unsubscribed) toast(unsubscribed)
      return onClaimed()
    }
    const problem = signedUp ? alreadyClaimed : invalidEmailError
    setError(problem.description)
    form.querySelector<HTMLElement>('[name=email]')?.focus()
    toast({ ...problem, tone: 'destructive' })
  }

  return (
    <Form gap={4} onSubmit={({ currentTarget }) => void run(() => claim(currentTarget))}>
      <p>
        Enter your e-mail address to get your code: {percent}% off a first order of R{fromRand} or more, one
        per customer.
      </p>
      <TextField label="E-mail" name="email" type="email" autoComplete="email" required error={error} />
      <Checkbox name="marketing" label={MARKETING_WORDING} />
      <Pair gap={2}>
        <Button type="submit" look="action" size="large" disabled={isBusy}>
          {isBusy ? 'One moment...' : 'Get my code'}
        </Button>
        <Button look="quiet" disabled={isBusy} onClick={onClose}>
          No thanks
        </Button>
      </Pair>
    </Form>
  )
}

function Code({ onClose }: { onClose: () => void }) {
  const { isCopied, copy } = useCopy()
  const button = useRef<HTMLButtonElement>(null)
  // The form that had the focus has been removed.
  useEffect(() => button.current?.focus(), [])

  return (
    <Stack gap={4}>
      <p>
        Here is your code. Enter it at the checkout to get {percent}% off a first order of R{fromRand} or
        more.
      </p>
      <p className={styles.code}>{shop.welcomeCode}</p>
      <Pair gap={2}>
        {/* Without clipboard access the visitor can still select the code. */}
        <Button ref={button} size="large" onClick={() => void copy(shop.welcomeCode).catch(console.error)}>
          <span aria-live="polite">{isCopied ? 'COPIED' : 'COPY CODE'}</span>
        </Button>
        <Button look="action" size="large" onClick={onClose}>
          Start Shopping
        </Button>
      </Pair>
    </Stack>
  )
}
