export interface OutgoingMail {
  /** The same for every retry, so that the mailbox recognises duplicates. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  /** For marketing mails; mail programs show it as a button (RFC 8058). */
  unsubscribeUrl: string | null
}

/** Hands a mail to the mail server. Throws with the server's message if it refuses. */
export type Deliver = (mail: OutgoingMail) => Promise<void>

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

interface MailSettings {
  smtpUrl: string | null
  mailFrom: string
  isLocal: boolean
}

/**
 * Returns null for a shop on this machine without a mail server: it shows its mails on the mailbox page.
 * In a public shop without a mail server every delivery fails, so mails stay queued.
 */
export function outboxDelivery({ smtpUrl, mailFrom, isLocal }: MailSettings): Deliver | null {
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
    const message = { ...mail, from, ...(replyTo && { replyTo }), ...(headers && { headers }) }
    await (await transport).sendMail(message)
  }
}

/** Imports the library with the first mail, to keep it out of the server's start. */
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
    // A mail must never include a local file or a fetched URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
