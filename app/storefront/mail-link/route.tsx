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
import { useAttempt } from '#app/sign-in/use-attempt.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { mailLinkText } from '#domain/mail-link-text.ts'
import { Problem, Stack } from '#app/ui/layout.tsx'
import { unlisted } from '../page-meta.ts'

export const meta = unlisted('Continue')

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
  if (!isHydrated) return <SignInPanel title="One moment" />
  return linkOnLoad ? <FollowLink link={linkOnLoad} /> : <NoLink />
}

function subscribeToNothing() {
  return () => {}
}

type Tokens = Extract<Followed, { outcome: 'signed-in' }>['tokens']

/** Does not say that the link failed: it works once, and a lost response may have used it up. */
const UNCLEAR = 'We didn’t get a clear answer. Check your connection and try again.'

function FollowLink({ link }: { link: MailLink }) {
  const [pendingTokens, setPendingTokens] = useState<Tokens | null>(null)
  const { problem, isBusy, attempt } = useAttempt()
  const { title, text } = mailLinkText(link.type)

  const run = (task: () => Promise<unknown>) =>
    void attempt(
      () => task().then(() => null),
      () => UNCLEAR,
    )
  const signIn = async (tokens: Tokens) => {
    await keepTokens(tokens)
    // The account comes from a sign-up that was never confirmed: the owner of the mailbox must choose a new password.
    const next = tokens.user.app_metadata?.needs_password ? '/auth/new-password' : link.next
    return goOn(next, { followed: link.type })
  }
  const follow = async () => {
    const followed = await followMailLink(link)
    if (followed.outcome === 'refused') return goOn(expiredLinkPage(link), { error_code: 'otp_expired' })
    if (followed.outcome === 'half-done') return goOn('/auth/confirmed', { message: 'half-done' })
    if (!displacedUser(followed.tokens)) return signIn(followed.tokens)
    setPendingTokens(followed.tokens)
  }

  if (pendingTokens) {
    return (
      <SwitchAccount
        tokens={pendingTokens}
        isBusy={isBusy}
        problem={problem}
        onSwitch={() => run(() => signIn(pendingTokens))}
        onStay={() =>
          run(async () => {
            await dropTokens(pendingTokens)
            await goOn('/account')
          })
        }
      />
    )
  }
  return (
    <SignInPanel title={title}>
      <p>{text}</p>
      <Problem>{problem}</Problem>
      <Button look="action" size="large" isWide disabled={isBusy} onClick={() => run(follow)}>
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
  problem: string | null
  onSwitch: () => void
  onStay: () => void
}

/** Asks before switching accounts: a stranger may have sent the link (login CSRF). */
function SwitchAccount({ tokens, isBusy, problem, onSwitch, onStay }: SwitchAccountProps) {
  const { user } = useSession()
  const newEmail = tokens.user.email ?? 'another account'
  return (
    <SignInPanel title="Switch account?">
      <Stack gap={4}>
        <p>
          You’re signed in as <strong>{user?.email ?? 'another user'}</strong>. This link is for{' '}
          <strong>{newEmail}</strong>. Continue only if that account is yours too.
        </p>
        <Problem>{problem}</Problem>
      </Stack>
      <Button look="action" size="large" isWide disabled={isBusy} onClick={onSwitch}>
        Switch to {newEmail}
      </Button>
      <Button look="quiet" isWide disabled={isBusy} onClick={onStay}>
        Stay signed in as {user?.email ?? 'before'}
      </Button>
    </SignInPanel>
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
