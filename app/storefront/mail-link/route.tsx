import { useState, useSyncExternalStore } from 'react'
import { useSession } from '#app/data/session.tsx'
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
import { ErrorText } from '#app/ui/layout.tsx'

export const meta = () => [{ title: `Continue – ${shop.name}` }, { name: 'robots', content: 'noindex' }]

/** Read once on load: an e-mail link always opens a new page. */
const linkOnLoad = typeof location === 'undefined' ? null : readMailLink(location.hash)

/**
 * The page that e-mail links open, on any device. A button uses up the link, so that link scanners do not.
 */
export default function MailLinkPage() {
  const isHydrated = useSyncExternalStore(
    subscribeToNothing,
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
  return linkOnLoad ? <FollowLink link={linkOnLoad} /> : <NoLink />
}

function subscribeToNothing() {
  return () => {}
}

type Tokens = Extract<Followed, { outcome: 'signed-in' }>['tokens']

function FollowLink({ link }: { link: MailLink }) {
  const [pendingTokens, setPendingTokens] = useState<Tokens | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [hasFailed, setHasFailed] = useState(false)
  const { title, text } = mailLinkText(link.type)

  const run = async (task: () => Promise<void>) => {
    setIsBusy(true)
    setHasFailed(false)
    try {
      await task()
    } catch (error) {
      console.error('the e-mail link was not followed', error)
      setHasFailed(true)
      setIsBusy(false)
    }
  }
  const signIn = async (tokens: Tokens) => {
    await keepTokens(tokens)
    // The account comes from a sign-up that was never confirmed: the owner of the mailbox must choose a new password.
    const next = tokens.user.app_metadata?.needs_password ? '/auth/new-password' : link.next
    goOn(next, { followed: link.type })
  }
  const follow = async () => {
    const followed = await followMailLink(link)
    if (followed.outcome === 'refused') return goOn(expiredLinkPage(link), { error_code: 'otp_expired' })
    if (followed.outcome === 'half-done') return goOn('/auth/confirmed', { message: 'half-done' })
    if (!displacedUser(followed.tokens)) return signIn(followed.tokens)
    setPendingTokens(followed.tokens)
    setIsBusy(false)
  }

  if (pendingTokens) {
    return (
      <SwitchAccount
        tokens={pendingTokens}
        isBusy={isBusy}
        hasFailed={hasFailed}
        onSwitch={() => void run(() => signIn(pendingTokens))}
        onStay={() =>
          void run(async () => {
            await dropTokens(pendingTokens)
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

/** Returns the page that explains an expired link. */
function expiredLinkPage({ type }: MailLink): string {
  return type === 'recovery' ? '/auth/new-password' : '/auth/confirmed'
}

interface SwitchAccountProps {
  tokens: Tokens
  isBusy: boolean
  hasFailed: boolean
  onSwitch: () => void
  onStay: () => void
}

/** Asks before switching accounts: a stranger may have sent the link (login CSRF). */
function SwitchAccount({ tokens, isBusy, hasFailed, onSwitch, onStay }: SwitchAccountProps) {
  const { user } = useSession()
  const newEmail = tokens.user.email ?? 'another account'
  return (
    <SignInPanel title="Switch account?">
      <div className={styles.form}>
        <p>
          You’re signed in as <strong>{user?.email ?? 'another user'}</strong>. This link is for{' '}
          <strong>{newEmail}</strong>. Continue only if that account is yours too.
        </p>
        {hasFailed && <Problem />}
      </div>
      <Button look="action" size="large" isWide disabled={isBusy} onClick={onSwitch}>
        Switch to {newEmail}
      </Button>
      <Button look="quiet" isWide disabled={isBusy} onClick={onStay}>
        Stay signed in as {user?.email ?? 'before'}
      </Button>
    </SignInPanel>
  )
}

function Problem() {
  return (
    <ErrorText size="s" role="alert">
      That didn’t work. Check your connection and try again.
    </ErrorText>
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
