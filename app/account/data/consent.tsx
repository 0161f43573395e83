import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { failureText } from '#app/data/failure-text.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { replaceData } from '#app/data/query-keys.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { Grid, Hint } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { errorToast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import type { Returns } from '#database'
import { MARKETING_WITHDRAWAL, MARKETING_WORDING } from '#domain/marketing.ts'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Section } from '../section.tsx'

type MarketingConsent = Returns<'marketing_consent'>

const choiceFailure = failureText({
  refused: 'Your choice was not saved. Please try again.',
  lost: 'We didn’t get an answer, so your choice may already be saved. Please reload the page.',
})

/** The switch for marketing e-mails. Each change is recorded in the consent history with this wording. */
export function Consent() {
  const { id } = useCustomer()
  const consent = useBackendQuery(['marketing-consent', id], (backend) => backend.rpc('marketing_consent'))

  return (
    <Section title="News and offers" intro="We always e-mail you about your orders.">
      {consent.isPending && <Skeleton height={52} />}
      <LoadError what="Your choice could not be loaded." query={consent} />
      {consent.data && <ConsentSwitch consent={consent.data} />}
    </Section>
  )
}

function ConsentSwitch({ consent }: { consent: MarketingConsent }) {
  const { id } = useCustomer()
  const queries = useQueryClient()
  const toast = useToast()
  const change = useMutation({
    mutationFn: (isGiven: boolean) =>
      queryBackend((backend) =>
        backend.rpc('set_marketing_consent', {
          is_given: isGiven,
          wording: isGiven ? MARKETING_WORDING : MARKETING_WITHDRAWAL,
        }),
      ),
    onSuccess: (updated) => replaceData(queries, ['marketing-consent', id], updated),
    onError: (error) => {
      void queries.invalidateQueries({ queryKey: ['marketing-consent', id] })
      toast(errorToast(choiceFailure(error)))
    },
  })

  const isOn = consent.is_given || consent.is_pending

  return (
    <Grid columns="auto 1fr" gap={3} align="center">
      <Switch
        label={MARKETING_WORDING}
        isOn={isOn}
        disabled={change.isPending}
        onSwitch={(isGiven) => change.mutate(isGiven)}
      />
      <div>
        <p aria-hidden>{MARKETING_WORDING}</p>
        {consent.is_pending && (
          <Hint role="status">We’ve e-mailed you a link. Open it to confirm your subscription.</Hint>
        )}
        {/* An address that was mailed often enough gets no confirmation link. */}
        {change.isSuccess && change.variables && !isOn && (
          <Hint role="status">
            Please <Link to="/account/security">confirm your e-mail address</Link> first.
          </Hint>
        )}
        {!consent.is_pending && consent.changed_at && (
          <Hint>
            {consent.is_given ? 'You agreed' : 'You declined'} <LocalDate at={consent.changed_at} />
          </Hint>
        )}
      </div>
    </Grid>
  )
}
