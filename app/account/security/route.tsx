import { useSession } from '#app/data/session.tsx'
import { PasswordForm } from '#app/sign-in/password-form.tsx'
import { unlisted } from '#app/storefront/page-meta.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { useCustomer } from '../account-gate.tsx'
import { Section } from '../section.tsx'
import { EmailSection } from './email-section.tsx'
import { SecondStepSection } from './second-step-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

export const meta = unlisted('Sign-in and security')

export default function Security() {
  const { email } = useCustomer()
  const { role } = useSession()
  const toast = useToast()

  return (
    <>
      <h1>Sign-in and security</h1>
      <EmailSection />
      <Section title="Password" intro="Changing it signs you out everywhere else.">
        <PasswordForm
          email={email}
          onChanged={() => toast({ title: 'Success', description: 'Your password is changed.' })}
        />
      </Section>
      <SecondStepSection isAdmin={role === 'admin'} />
      <SessionsSection />
    </>
  )
}
