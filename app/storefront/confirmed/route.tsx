import { useEffect, useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { useSession } from '#app/data/session.tsx'
import { useLinkAnswer, type LinkAnswer } from '#app/sign-in/link-answer.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { shop } from '#shop'

export const meta = () => [
  { title: `Your e-mail address – ${shop.name}` },
  { name: 'robots', content: 'noindex' },
]

/** The page that links about a changed e-mail address lead to. */
export default function Confirmed() {
  const answer = useLinkAnswer()
  const isSessionReady = useIsSessionReady()
  // Wait for the new session: the link has ended the old one.
  if (answer === null || (answer.kind === 'done' && !isSessionReady)) {
    return (
      <SignInPanel title="One moment">
        <Skeleton height={80} />
      </SignInPanel>
    )
  }
  return <Answer answer={answer} />
}

/** Returns true when the client has read the new session from the address. */
function useIsSessionReady(): boolean {
  const [isSessionReady, setIsSessionReady] = useState(false)
  useEffect(() => {
    void loadBackend()
      .then((client) => client.auth.getSession())
      .catch((error: unknown) => console.error('the session in the link was not read', error))
      .then(() => setIsSessionReady(true))
  }, [])
  return isSessionReady
}

function Answer({ answer }: { answer: LinkAnswer }) {
  const { status } = useSession()
  const next =
    status === 'signed-in' ? { to: '/account', label: 'Go to my account' } : { to: '/auth', label: 'Sign in' }

  switch (answer.kind) {
    case 'done':
      return (
        <SignInPanel title="Your e-mail is confirmed">
          <p>From now on, sign in with this address. We'll send our e-mails there too.</p>
          <ButtonLink look="action" size="large" to={next.to}>
            {next.label}
          </ButtonLink>
        </SignInPanel>
      )
    case 'half-done':
      return (
        <SignInPanel title="Almost done">
          <p>
            This address is confirmed. We also e-mailed your other address: open the link there to finish the
            change.
          </p>
        </SignInPanel>
      )
    case 'refused':
    case 'none':
      return (
        <SignInPanel title="This link has expired">
          <p>
            A link works once and for one hour. If your address is already confirmed, just sign in; otherwise
            request a new e-mail there.
          </p>
          <ButtonLink look="action" size="large" to={next.to}>
            {next.label}
          </ButtonLink>
        </SignInPanel>
      )
  }
}
