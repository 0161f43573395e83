import { z } from 'zod'
import { shop } from '#shop'
import { Layout } from '../parts/layout.tsx'
import { Action, Muted, Paragraph, Title } from '../parts/text.tsx'
import { template } from '../template.ts'

const alertSchema = z.object({
  component: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  message: z.string(),
  action: z.string().nullable(),
  since: z.iso.datetime(),
})

type AlertProps = z.infer<typeof alertSchema>

const TITLES = { ok: 'All clear', warning: 'Please take a look', failed: 'Your shop needs you' }

const moment = new Intl.DateTimeFormat(shop.locale, {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: shop.timeZone,
})

/** To the shop, once when a component stops working and once when it works again. */
export const alert = template<AlertProps>({
  props: alertSchema,
  subject: ({ component, state }) => `${state === 'ok' ? 'All clear' : 'Shop alert'}: ${component}`,
  Body: ({ publicUrl, state, message, action, since }) => (
    <Layout preview={message}>
      <Title>{TITLES[state]}</Title>
      <Paragraph>{message}</Paragraph>
      {action && <Paragraph>{action}</Paragraph>}
      <Action href={`${publicUrl}/admin/system`}>Open the System page</Action>
      <Muted>
        {state === 'ok'
          ? `The problem began on ${moment.format(new Date(since))}.`
          : `Since ${moment.format(new Date(since))}. You get one e-mail about this, and another when it works again.`}
      </Muted>
    </Layout>
  ),
})
