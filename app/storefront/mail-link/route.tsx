import { useState, useSyncExternalStore } from 'react'
import { useSession } from '#app/session/session.tsx'
import {
  displacedUser,
  dropTokens,
  followMailLink,
  goOn,
  keepTokens,
  readMailLink,
  type Followed,
  type MailLink,
} from '#app/sign-in/mail-link.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { mailLinkText } from '#domain/mail-link-text.ts'
import { shop } from '#shop'
import styles from '#app/sign-in/sign-in-form.module.css'

export const meta = () => [{ title: `Continue – ${shop.name}` }, { name: 'robots', content: 'noindex' }]

/** Read as the page arrives; a mailed link is always a new page. */
const arrived = typeof location === 'undefined' ? null : readMailLink(location.hash)

/**
 * Where mailed links arrive, on whichever device they are opened. One press uses the link up: programs that open links to look for
 * viruses press no buttons.
 */
export default function MailLinkPage() {
  const isHydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  )
  if (!isHydrated) {
    return (
      <SignInPanel title="One moment">
        <Skeleton height={80} />
      </SignInPanel>
    )
  }
  return arrived ? <Follow link={arrived} /> : <NoLink />
}

function neverChanges() {
  return () => {}
}

type Tokens = Extract<Followed, { outcome: 'signed-in' }>['tokens']

function Follow({ link }: { link: MailLink }) {
  const [waiting, setWaiting] = useState<Tokens | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const { title, text } = mailLinkText(link.type)

  const run = async (work: () => Promise<void>) => {
    setIsBusy(true)
    setHasFailed(false)
    try {
      await work()
    } catch (error) {
      console.error('the mailed link was not followed', error)
      setHasFailed(true)
      setIsBusy(false)
    }
  }
  const keep = async (tokens: Tokens) => {
    await keepTokens(tokens)
    // The account was taken over from a sign-up that the mailbox never confirmed: its reader chooses the password.
    const next = tokens.user.app_metadata?.needs_password ? '/auth/new-password' : link.next
    goOn(next, { followed: link.type })
  }
  const follow = async () => {
    const followed = await followMailLink(link)
    if (followed.outcome === 'refused') return goOn(spentPage(link), { error_code: 'otp_expired' })
    if (followed.outcome === 'half-done') return goOn('/auth/confirmed', { message: 'half-done' })
    if (!displacedUser(followed.tokens)) return keep(followed.tokens)
    setWaiting(followed.tokens)
    setIsBusy(false)
  }

  if (waiting) {
    return (
      <Replace
        tokens={waiting}
        isBusy={isBusy}
        hasFailed={hasFailed}
        onReplace={() => void run(() => keep(waiting))}
        onStay={() =>
          void run(async () => {
            await dropTokens(waiting)
            location.replace('/account')
          })
        }
      />
    )
  }
  return (
    <SignInPanel title={title}>
      <p>{text}</p>
      {hasFailed && <Problem />}
      <Button look="action" size="large" isWide disabled={isBusy} onClick={() => void run(follow)}>
        {isBusy ? 'One moment...' : 'Continue'}
      </Button>
    </SignInPanel>
  )
}

/** A spent link for a password says so where a new one is asked for. */
function spentPage({ type }: MailLink): string {
  return type === 'recovery' ? '/auth/new-password' : '/auth/confirmed'
}

interface ReplaceProps {
  tokens: Tokens
  isBusy: boolean
  hasFailed: boolean
  onReplace: () => void
  onStay: () => void
}

/** A link must not swap the account in an open browser unnoticed: it may have been sent by a stranger. */
function Replace({ tokens, isBusy, hasFailed, onReplace, onStay }: ReplaceProps) {
  const { user } = useSession()
  const newcomer = tokens.user.email ?? 'another account'
  return (
    <SignInPanel title="Switch account?">
      <div className={styles.form}>
        <p>
          You’re signed in as <strong>{user?.email ?? 'another user'}</strong>. This link is for{' '}
          <strong>{newcomer}</strong>. Continue only if that account is yours too.
        </p>
        {hasFailed && <Problem />}
      </div>
      <Button look="action" size="large" isWide disabled={isBusy} onClick={onReplace}>
        Switch to {newcomer}
      </Button>
      <Button look="quiet" isWide disabled={isBusy} onClick={onStay}>
        Stay signed in as {user?.email ?? 'before'}
      </Button>
    </SignInPanel>
  )
}

function Problem() {
  return (
    <p className={styles.problem} role="alert">
      That didn’t work. Check your connection and try again.
    </p>
  )
}

function NoLink() {
  return (
    <SignInPanel title="This link is incomplete">
      <p>Open it from the e-mail again, or copy the whole address.</p>
      <ButtonLink look="action" size="large" to="/auth">
        Sign in
      </ButtonLink>
    </SignInPanel>
  )
}
