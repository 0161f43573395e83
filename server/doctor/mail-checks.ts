import { randomUUID } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { createTransport } from 'nodemailer'
import { errorMessage } from '@saltfreak/backend'
import { smtpDelivery } from '#emails/outbox/transport.ts'
import { failed, type HealthCheck, ok, warning } from '../health/finding.ts'
import type { Settings } from '../settings.ts'

const ANSWER_MS = 10_000

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'dkimSelector' | 'isLocal'>

/** The mail server accepts the sign-in and, with `testAddress`, a mail to it. */
export function mailServerCheck(
  { smtpUrl, mailFrom, isLocal }: MailSettings,
  testAddress?: string,
): HealthCheck {
  return {
    component: 'mail server',
    async check() {
      if (!smtpUrl) return withoutServer(isLocal)
      try {
        if (testAddress) await sendTest(smtpUrl, mailFrom, testAddress)
        else await signIn(smtpUrl)
      } catch (error) {
        return failed(
          `The mail server refuses: ${errorMessage(error)}`,
          'Compare SMTP_URL and MAIL_FROM with what your mail provider says. Special characters of the password must be percent-encoded.',
        )
      }
      return ok(
        testAddress
          ? `The mail server accepted a mail to ${testAddress}. Look whether it arrived, and not as spam.`
          : 'The mail server accepts the sign-in. To be sure, send a test e-mail from the settings page, or with --mail <address>.',
      )
    },
  }
}

function withoutServer(isLocal: boolean) {
  if (isLocal) return ok('This shop is for trying out: its mails appear in /dev/mail.')
  return failed(
    'No mail server is set, so buyers get no mails.',
    'Set SMTP_URL to the address that your mail provider gives you.',
  )
}

async function signIn(smtpUrl: string): Promise<void> {
  const limits = { connectionTimeout: ANSWER_MS, greetingTimeout: ANSWER_MS, socketTimeout: ANSWER_MS }
  const transport = createTransport({ url: smtpUrl, ...limits })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

async function sendTest(smtpUrl: string, from: string, to: string): Promise<void> {
  const text = 'This is a test mail of your shop. If you can read it, the shop can send mails.'
  await smtpDelivery(
    smtpUrl,
    from,
  )({
    messageId: `<${randomUUID()}@${domainOf(from)}>`,
    to,
    replyTo: null,
    subject: 'Test mail of your shop',
    text,
    html: `<p>${text}</p>`,
    unsubscribeUrl: null,
  })
}

/**
 * The sender's domain publishes SPF, DKIM and DMARC, without which mail programs sort the shop's mails into spam. The name of the DKIM
 * record is the mail provider's choice, so it is looked up only where the settings give its selector. `resolver` is for tests.
 */
export function mailRecordsCheck(
  { smtpUrl, mailFrom, dkimSelector, isLocal }: MailSettings,
  resolver: Pick<Resolver, 'resolveTxt'> = new Resolver({ timeout: 3000, tries: 2 }),
): HealthCheck {
  const domain = domainOf(mailFrom)
  const hasRecord = async (name: string, content: RegExp) => {
    const records = await resolver.resolveTxt(name).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return []
      throw error
    })
    return records.some((parts) => content.test(parts.join('')))
  }
  return {
    component: 'mail records',
    async check() {
      if (!smtpUrl) return ok('Not needed without a mail server.')
      if (isLocal) return ok('Not needed by a shop for trying out.')
      const records = [
        { kind: 'SPF', name: domain, content: /^v=spf1\b/i },
        ...(dkimSelector
          ? // An empty key is a revoked one.
            [
              {
                kind: 'DKIM',
                name: `${dkimSelector}._domainkey.${domain}`,
                content: /(?:^|;)\s*p=\s*[\w+/]/i,
              },
            ]
          : []),
        { kind: 'DMARC', name: `_dmarc.${domain}`, content: /^v=DMARC1\b/i },
      ]
      const found = await Promise.all(records.map(({ name, content }) => hasRecord(name, content)))
      const missing = records.filter((_record, index) => !found[index]).map(({ kind }) => kind)
      if (missing.length === 0) {
        return ok(
          dkimSelector
            ? `${domain} has SPF, DKIM and DMARC.`
            : `${domain} has SPF and DMARC. Set DKIM_SELECTOR to the name that your mail provider gives its DKIM record, and it is checked too.`,
        )
      }
      return warning(
        `${domain} has no ${missing.join(' and no ')} record: many of the shop’s mails will be taken for spam.`,
        'Add the TXT records that your mail provider names to the domain.',
      )
    },
  }
}

/** Of an address like `Shop <orders@shop.example>`. */
function domainOf(sender: string): string {
  return /@([^\s<>@]+)>?$/.exec(sender)?.[1] ?? ''
}
