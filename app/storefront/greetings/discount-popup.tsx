import { useEffect, useRef, useState } from 'react'
import { Form } from '#app/ui/form/form.tsx'
import { signUpForNewsletter } from '#app/storefront/newsletter/sign-up-for-newsletter.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Checkbox, TextField } from '#app/ui/form/field.tsx'
import { Stack } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { MARKETING_WORDING } from '#domain/marketing.ts'
import { alreadyClaimed, parseEmail, invalidEmailError } from '#domain/validation/newsletter.ts'
import { shop } from '#shop'
import styles from './discount-popup.module.css'

const COPIED_FOR_MS = 2_000
const { percent, fromRand } = shop.welcomeOffer

/** First asks for an address, then shows the code. */
export function DiscountPopup({ onClose }: { onClose: () => void }) {
  const [isClaimed, setIsClaimed] = useState(false)
  return (
    <Dialog title={`${percent}% off your first order`} isOpen onClose={onClose} className={styles.popup}>
      {isClaimed ? (
        <Code onClose={onClose} />
      ) : (
        <Claim onClaimed={() => setIsClaimed(true)} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Claim({ onClaimed, onClose }: { onClaimed: () => void; onClose: () => void }) {
  const { error, isBusy, claim } = useClaim(onClaimed)
  return (
    <Form gap={4} onSubmit={(event) => void claim(event.currentTarget)}>
      <p>
        Enter your e-mail address to get your code: {percent}% off a first order of R{fromRand} or more, one
        per customer.
      </p>
      <TextField label="E-mail" name="email" type="email" autoComplete="email" required error={error} />
      <Checkbox name="marketing" label={MARKETING_WORDING} />
      <Stack gap={2} className={styles.buttons}>
        <Button type="submit" look="action" size="large" disabled={isBusy}>
          {isBusy ? 'One moment...' : 'Get my code'}
        </Button>
        <Button look="quiet" onClick={onClose}>
          No thanks
        </Button>
      </Stack>
    </Form>
  )
}

function useClaim(onClaimed: () => void) {
  const toast = useToast()
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)

  function refuse(problem: { title: string; description: string }, field: HTMLElement | null) {
    setError(problem.description)
    field?.focus()
    toast({ ...problem, tone: 'destructive' })
  }

  async function claim(form: HTMLFormElement) {
    const field = form.querySelector<HTMLInputElement>('[name=email]')
    const email = parseEmail(field?.value ?? '')
    if (!email) return refuse(invalidEmailError, field)
    const wantsNews = new FormData(form).has('marketing')
    setError(null)
    setIsBusy(true)
    try {
      const outcome = await signUpForNewsletter({ email, wantsNews, acceptsTerms: false, source: 'popup' })
      if (outcome === 'known') refuse(alreadyClaimed, field)
      else onClaimed()
    } catch (failure) {
      console.error(failure)
      toast({ title: 'Error', description: 'Something went wrong. Please try again.', tone: 'destructive' })
    } finally {
      setIsBusy(false)
    }
  }

  return { error, isBusy, claim }
}

function Code({ onClose }: { onClose: () => void }) {
  const [isCopied, setIsCopied] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

  // The form that had the focus has been removed.
  useEffect(() => button.current?.focus(), [])
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), COPIED_FOR_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = async () => {
    await navigator.clipboard.writeText(shop.welcomeCode)
    setIsCopied(true)
  }

  return (
    <Stack gap={4}>
      <p>
        Here is your code. Enter it at the checkout to get {percent}% off a first order of R{fromRand} or
        more.
      </p>
      <p className={styles.code}>{shop.welcomeCode}</p>
      <Stack gap={2} className={styles.buttons}>
        {/* Without clipboard access the visitor can still select the code. */}
        <Button ref={button} size="large" onClick={() => void copy().catch(console.error)}>
          <span aria-live="polite">{isCopied ? 'COPIED' : 'COPY CODE'}</span>
        </Button>
        <Button look="action" size="large" onClick={onClose}>
          Start Shopping
        </Button>
      </Stack>
    </Stack>
  )
}
