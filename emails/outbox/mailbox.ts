/**
 * `/dev/mail`: the mails that the shop has sent, and a preview of every template, for a shop on this machine.
 * It shows sign-in links, so `server/development.ts` mounts it for requests from this machine only.
 */
import { selectRows } from '@saltfreak/backend'
import { Hono } from 'hono'
import { z } from 'zod'
import { html } from 'hono/html'
import type { Pool } from 'pg'
import { colour, darkColour, pageFont } from '#domain/brand.ts'
import { htmlPage } from './mail-page.ts'
import { isMailName, MAIL_TEMPLATES, type MailName } from '#domain/mails.ts'

const listedMail = z.object({
  id: z.string(),
  subject: z.string().nullable(),
  template: z.string(),
  sent_to: z.string().nullable(),
  recipient: z.string().nullable(),
  status: z.string(),
  last_error: z.string().nullable(),
  created_at: z.date(),
})
const storedMail = listedMail.extend({ html: z.string().nullable(), text: z.string().nullable() })
const textMessage = z.object({ sent_to: z.string(), code: z.string(), created_at: z.date() })

type ListedMail = z.infer<typeof listedMail>
type StoredMail = z.infer<typeof storedMail>

const LISTED = 200
const UUID = /^[0-9a-f-]{36}$/

export function createMailbox(owner: Pool): Hono {
  const app = new Hono()

  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
  })
  app.get('/', async (c) => {
    const listed = await selectRows(owner, listedMail, [
      `select id, subject, template, sent_to, recipient, status, last_error, created_at
       from public.mails order by created_at desc, id limit $1`,
      LISTED,
    ])
    const mails = listed.length > 0 ? listed.map(mailLink) : [html`<p>No mail yet.</p>`]
    const previews = html`<p><a href="/dev/mail/previews">All templates</a></p>`
    return c.html(page('Mailbox', [previews, ...(await textMessages(owner)), ...mails]))
  })
  app.get('/previews', async (c) => {
    const { origin } = new URL(c.req.url)
    const links = MAIL_TEMPLATES.map(async (name) => previewLink(name, (await preview(name, origin)).subject))
    return c.html(page('All templates', await Promise.all(links)))
  })
  app.get('/previews/:name', async (c) => {
    const name = c.req.param('name')
    if (!isMailName(name)) return c.notFound()
    const mail = await preview(name, new URL(c.req.url).origin)
    return c.html(
      page(mail.subject, [
        html`<p><a href="/dev/mail/previews">All templates</a></p>`,
        renderedBody({ ...mail, title: mail.subject }),
      ]),
    )
  })
  app.get('/:id{[0-9a-f-]{36}}', async (c) => {
    const mail = await findMail(owner, c.req.param('id'))
    return mail ? c.html(page(titleOf(mail), [mailView(mail)])) : c.notFound()
  })
  app.get('/:id{[0-9a-f-]{36}}/html', async (c) => {
    const mail = await findMail(owner, c.req.param('id'))
    // Mails must not run scripts.
    c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; img-src * data:")
    return mail?.html ? c.html(mail.html) : c.notFound()
  })
  app.get('/:id{[0-9a-f-]{36}}/text', async (c) => {
    const mail = await findMail(owner, c.req.param('id'))
    return mail?.text ? c.text(mail.text) : c.notFound()
  })
  return app
}

async function findMail(owner: Pool, id: string): Promise<StoredMail | undefined> {
  if (!UUID.test(id)) return undefined
  const [mail] = await selectRows(owner, storedMail, ['select * from public.mails where id::text = $1', id])
  return mail
}

/** The latest codes sent by text message. */
async function textMessages(owner: Pool) {
  const messages = await selectRows(owner, textMessage, [
    'select sent_to, code, created_at from private.texts order by created_at desc limit 5',
  ])
  return messages.map(
    ({ sent_to: to, code, created_at: at }) =>
      html`<p class="mail">
        <strong>Your code is ${code}</strong>
        <span>text to ${to} · ${at.toISOString().slice(0, 19).replace('T', ' ')}</span>
      </p>`,
  )
}

function mailLink(mail: ListedMail) {
  return html`<a class="mail" href="/dev/mail/${mail.id}">
    <strong>${titleOf(mail)}</strong>
    <span
      >${addressee(mail)} · ${mail.status} ·
      ${mail.created_at.toISOString().slice(0, 19).replace('T', ' ')}</span
    >
    ${mail.last_error ? html`<span class="problem">${mail.last_error}</span>` : ''}
  </a>`
}

function mailView(mail: StoredMail) {
  return html`<p><a href="/dev/mail">All mail</a> · to ${addressee(mail)} · ${mail.status}</p>
    ${
      mail.html
        ? renderedBody({ title: titleOf(mail), html: mail.html, text: mail.text })
        : html`<p>Not rendered yet.${mail.last_error ? ` The mail server said: ${mail.last_error}` : ''}</p>`
    }`
}

/** Shows the HTML in a frame without scripts, then the text part. */
function renderedBody(mail: { title: string; html: string; text: string | null }) {
  return html`<iframe
      title="${mail.title}"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcdoc="${mail.html}"
    ></iframe>
    <details>
      <summary>Text part</summary>
      <pre>${mail.text}</pre>
    </details>`
}

function previewLink(name: string, subject: string) {
  return html`<a class="mail" href="/dev/mail/previews/${name}">
    <strong>${subject}</strong>
    <span>${name}</span>
  </a>`
}

async function preview(name: MailName, origin: string) {
  const [{ renderMail }, { SAMPLES }] = await Promise.all([
    import('../render-mail.ts'),
    import('../samples.ts'),
  ])
  return renderMail(name, SAMPLES[name], origin)
}

function titleOf(mail: ListedMail): string {
  return mail.subject ?? mail.template
}

function addressee(mail: ListedMail): string {
  return mail.sent_to ?? mail.recipient ?? 'the shop'
}

function page(title: string, content: unknown[]) {
  return htmlPage({ title, tab: title, header: 'Mailbox', style: STYLE, content })
}

const STYLE = `
  :root { color-scheme: light dark; --line: ${colour.line}; --muted: ${colour.muted}; }
  body { margin: 0; font: 16px/1.5 ${pageFont.text}; background: ${colour.paper}; color: ${colour.ink}; }
  header { background: ${colour.sea}; color: ${colour.onDark}; padding: 12px 20px; font-weight: 700; }
  main { max-width: 760px; margin: 0 auto; padding: 16px; }
  h1 { font-size: 24px; }
  .mail { display: block; padding: 12px 14px; margin-bottom: 8px; background: ${colour.card}; border-radius: 8px; color: inherit; text-decoration: none; }
  .mail span { display: block; color: var(--muted); font-size: 14px; overflow-wrap: anywhere; }
  .mail .problem { color: ${colour.danger}; }
  iframe { width: 100%; height: 75vh; border: 1px solid var(--line); border-radius: 8px; background: ${colour.card}; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  @media (prefers-color-scheme: dark) {
    :root { --line: ${darkColour.line}; --muted: ${colour.mutedOnDark}; }
    body { background: ${darkColour.page}; color: ${colour.onDark}; } .mail { background: ${darkColour.card}; } .mail .problem { color: #ffb4ab; } a { color: #8fd3e8; }
  }
`
