import { Hint, Row, Grid, Section } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import type { SystemReport } from '#domain/function-results.ts'
import { inSentenceCase } from './component-label.ts'

const LABELS: Record<string, string> = {
  login: 'Signed in',
  login_failed: 'Wrong password',
  logout: 'Signed out',
  verification_failed: 'Wrong second step',
  factor_updated: 'Second step added',
  factor_deleted: 'Second step removed',
  role_granted: 'Role granted',
  role_revoked: 'Role removed',
  user_modified: 'E-mail address changed',
  user_signedup: 'Account created',
  user_updated_password: 'Password changed',
}

/** The latest entries of the audit log of accounts. */
export function AccountEventsSection({ events }: { events: SystemReport['accountEvents'] }) {
  return (
    <Section title="Sign-ins and accounts" gap={4} divided="section">
      {events.length === 0 && <p>Nothing has happened yet.</p>}
      <Grid as="ol" columns="minmax(0, 1fr)" gap={4} aria-label="Latest account events">
        {events.map(({ id, action, email, detail, address, happenedAt }) => (
          <li key={id}>
            <Row gap={2} wrap>
              <strong>{LABELS[action] ?? inSentenceCase(action)}</strong>
              {detail && <span>{detail}</span>}
            </Row>
            <Hint as="p" breakWords>
              {email ?? 'No account'} · <LocalDateTime at={happenedAt} />
              {address && ` · ${address}`}
            </Hint>
          </li>
        ))}
      </Grid>
    </Section>
  )
}
