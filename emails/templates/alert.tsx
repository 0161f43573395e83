import { z } from 'zod'
import { dateFormat } from '#domain/dates.ts'
import { Layout } from '../parts/layout.tsx'
import { Action, Muted, Paragraph, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const TITLES = { ok: 'All clear', warning: 'Please take a look', failed: 'Your shop needs you' }

const moment = dateFormat({ dateStyle: 'long', timeStyle: 'short' })

/** To the shop, once when a component stops working and once when it works again. */
export const alert = template({
  props: z.object({
    component: z.string(),
    state: z.enum(['ok', 'warning', 'failed']),
    message: z.string(),
    action: z.string().nullable(),
    since: z.iso.datetime(),
  }),
  subject: ({ component, state }) => `${state === 'ok' ? 'All clear' : 'Shop alert'}: ${component}`,
  Body: ({ publicUrl, state, message, action, since }) => (
    <Layout preview={message}>
      <Title>{TITLES[state]}</Title>
      <Paragraph>{message}</Paragraph>
      {action && <Paragraph>{action}</Paragraph>}
      <Action href={`${publicUrl}/admin/system`}>Open the System page</Action>
      <Muted>
        {state === 'ok'
          ? `The problem began on ${moment(since)}.`
          : `Since ${moment(since)}. You get one e-mail about this, and another when it works again.`}
      </Muted>
    </Layout>
  ),
})
