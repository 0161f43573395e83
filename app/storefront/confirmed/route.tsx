import { useEffect, useState } from 'react'
import { loadBackend } from '#app/data/backend.ts'
import { useSession } from '#app/data/session.tsx'
import { useLinkAnswer } from '#app/sign-in/link-answer.ts'
import { SignInPanel } from '#app/sign-in/panel.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { unlisted } from '../page-meta.ts'

export const meta = unlisted('Your e-mail address')

const ANSWERS = {
  done: {
    title: 'Your e-mail is confirmed',
    text: "From now on, sign in with this address. We'll send our e-mails there too.",
  },
  'half-done': {
    title: 'Almost done',
    text: 'This address is confirmed. We also e-mailed your other address: open the link there to finish the change.',
  },
  expired: {
    title: 'This link has expired',
    text: 'A link works once and for one hour. If your address is already confirmed, just sign in; otherwise request a new e-mail there.',
  },
}

/** The page that links about a changed e-mail address lead to. */
export default function Confirmed() {
  const answer = useLinkAnswer()
  const isSessionReady = useIsSessionReady()
  const { status } = useSession()
  // Wait for the new session: the link has ended the old one.
  if (answer === null || (answer.kind === 'done' && !isSessionReady))
    return <SignInPanel title="One moment" />

  const isExpired = answer.kind === 'refused' || answer.kind === 'none'
  const { title, text } = ANSWERS[isExpired ? 'expired' : answer.kind]
  return (
    <SignInPanel title={title}>
      <p>{text}</p>
      {answer.kind !== 'half-done' && (
        <ButtonLink look="action" size="large" to={status === 'signed-in' ? '/account' : '/auth'}>
          {status === 'signed-in' ? 'Go to my account' : 'Sign in'}
        </ButtonLink>
      )}
    </SignInPanel>
  )
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
