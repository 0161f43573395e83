import { callFunction } from '#app/data/query-backend.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Hint, Row, Text, Grid, Section } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import type { AlertTest, SystemReport } from '#domain/function-results.ts'
import { componentLabel } from './component-label.ts'
import styles from './system.module.css'

interface AlertsProps {
  alerts: SystemReport['alerts']
  goTo: SystemReport['alertsGoTo']
}

/** Where alerts go, a test of it, and the latest alerts. */
export function AlertsSection({ alerts, goTo }: AlertsProps) {
  const test = useToastMutation({
    mutationFn: () => callFunction('send-test-alert'),
    success: 'Test alert finished',
    invalidates: [],
  })

  return (
    <Section
      title="Alerts"
      gap={4}
      divided="section"
      action={
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          Send a test alert
        </Button>
      }
    >
      <Hint breakWords>
        The shop e-mails {goTo.mail} when something stops working, and once more when it works again.
        {goTo.webhook
          ? ` It also calls ${goTo.webhook}.`
          : ' Set ALERT_URL to receive alerts in another place too.'}
      </Hint>
      <Text role="status" className={styles.outcome} breakWords>
        {test.data && `${mailSentence(test.data, goTo)} ${webhookSentence(test.data)}`}
      </Text>
      {alerts.length === 0 ? <p>There have been no alerts yet.</p> : <AlertList alerts={alerts} />}
    </Section>
  )
}

function AlertList({ alerts }: Pick<AlertsProps, 'alerts'>) {
  return (
    <Grid as="ol" columns="minmax(0, 1fr)" gap={4} aria-label="Latest alerts">
      {alerts.map(({ id, component, message, raisedAt, clearedAt }) => (
        <li key={id}>
          <Row gap={2} wrap>
            <strong>{componentLabel(component)}</strong>
            {clearedAt ? <Badge tone="success">Works again</Badge> : <Badge tone="warning">Open</Badge>}
          </Row>
          <Text breakWords>{message}</Text>
          <Hint as="p">
            <LocalDateTime at={raisedAt} />
            {clearedAt && (
              <>
                {' – '}
                <LocalDateTime at={clearedAt} />
              </>
            )}
          </Hint>
        </li>
      ))}
    </Grid>
  )
}

function mailSentence({ mail }: AlertTest, goTo: AlertsProps['goTo']): string {
  switch (mail.outcome) {
    case 'sent':
      return `The mail server accepted an e-mail to ${goTo.mail}.`
    case 'refused':
      return `The mail server refused the e-mail: ${mail.reason}.`
    case 'not set up':
      return 'There is no mail server: alerts are stored at /dev/mail.'
  }
}

function webhookSentence({ webhook }: AlertTest): string {
  switch (webhook.outcome) {
    case 'sent':
      return 'The webhook accepted the alert.'
    case 'refused':
      return `The webhook failed: ${webhook.reason}.`
    case 'not set up':
      return ''
  }
}
