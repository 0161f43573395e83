export interface OutgoingMail {
  /** The same for every try, so that a mailbox can tell a repetition from a second mail. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  /** Marketing names the address that ends it; mail programs show it as a button (RFC 8058). */
  unsubscribeUrl: string | null
}

/** Hands a mail to the mail server; throws with its words when it refuses. */
export type Deliver = (mail: OutgoingMail) => Promise<void>

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

interface MailSettings {
  smtpUrl: string | null
  mailFrom: string
  isLocal: boolean
}

/** Null means the mailbox page, which only a shop on this machine has; a public shop without a mail server keeps its mails waiting. */
export function deliveryFor({ smtpUrl, mailFrom, isLocal }: MailSettings): Deliver | null {
  if (smtpUrl) return smtpDelivery(smtpUrl, mailFrom)
  if (isLocal) return null
  return () => Promise.reject(new Error('SMTP_URL is not set: there is no mail server to send with'))
}

export function smtpDelivery(smtpUrl: string, from: string): Deliver {
  let transport: ReturnType<typeof openTransport> | undefined
  return async ({ replyTo, unsubscribeUrl, ...mail }) => {
    transport ??= openTransport(smtpUrl)
    const headers = unsubscribeUrl && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }
    const letter = { ...mail, from, ...(replyTo && { replyTo }), ...(headers && { headers }) }
    await (await transport).sendMail(letter)
  }
}

/** The library comes with the first mail. */
async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  const { hostname, port, protocol, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // Everything in a mail comes from the row; nothing is read from disk or fetched for it.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
