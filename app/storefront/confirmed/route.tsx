import { useEffect, useState } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useSession } from '#app/session/session.tsx'
import { useLinkAnswer, type LinkAnswer } from '#app/sign-in/link-answer.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { shop } from '#shop'

export const meta = () => [
  { title: `Your e-mail address – ${shop.name}` },
  { name: 'robots', content: 'noindex' },
]

/** Where mailed links about an address lead: changed, half changed, or spent. */
export default function Confirmed() {
  const answer = useLinkAnswer()
  const isTaken = useSessionTaken()
  // Whoever went on sooner would leave with the session that the link has ended.
  if (answer === null || (answer.kind === 'done' && !isTaken)) {
    return (
      <SignInPanel title="One moment">
        <Skeleton height={80} />
      </SignInPanel>
    )
  }
  return <Answer answer={answer} />
}

/** Whether the client has taken the new session out of the address. */
function useSessionTaken(): boolean {
  const [isTaken, setIsTaken] = useState(false)
  useEffect(() => {
    void loadBackend()
      .then((client) => client.auth.getSession())
      .catch((error: unknown) => console.error('the session of the link was not taken', error))
      .then(() => setIsTaken(true))
  }, [])
  return isTaken
}

function Answer({ answer }: { answer: LinkAnswer }) {
  const { status } = useSession()
  const next =
    status === 'signed-in' ? { to: '/account', label: 'To my account' } : { to: '/auth', label: 'Sign in' }

  switch (answer.kind) {
    case 'done':
      return (
        <SignInPanel title="Your e-mail is confirmed">
          <p>From now on you sign in with this address, and our mails go there.</p>
          <ButtonLink look="action" size="large" to={next.to}>
            {next.label}
          </ButtonLink>
        </SignInPanel>
      )
    case 'half-done':
      return (
        <SignInPanel title="Half way there">
          <p>
            This mailbox has agreed. We have mailed your other address as well: open the link there, and the
            change is done.
          </p>
        </SignInPanel>
      )
    case 'refused':
    case 'none':
      return (
        <SignInPanel title="This link has expired">
          <p>
            A link works once and for one hour. If your address is already confirmed, just sign in; otherwise
            ask for a new e-mail there.
          </p>
          <ButtonLink look="action" size="large" to={next.to}>
            {next.label}
          </ButtonLink>
        </SignInPanel>
      )
  }
}
