import { globSync, readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { shop } from '#shop'

import { colour, darkColour, pageFont } from '#domain/brand.ts'
import { MAIL_TEMPLATES } from '#domain/mails.ts'

import { renderMail } from './render-mail.ts'
import { SAMPLES } from './samples.ts'

const PUBLIC_URL = 'https://shop.example'

describe.each(MAIL_TEMPLATES)('the mail %s', (name) => {
  it('renders an e-mail with a subject and the same content in HTML and text', async () => {
    const { subject, html, text } = await renderMail(name, SAMPLES[name], PUBLIC_URL)

    expect(subject).toMatch(/^[^\r\n]{5,120}$/)
    // An e-mail from staff has no headline, which would repeat the subject.
    const headline =
      name === 'admin-email' ? 'Hi Thandi,' : (/<h1.*?>(.*?)<\/h1>/.exec(html)?.[1] ?? 'no headline')
    expect(wordsOf(html)).toContain(wordsOf(headline))
    expect(text.length).toBeGreaterThan(100)
    expect(text).not.toContain('undefined')
  })

  it('names the trader in every e-mail and supports dark mode', async () => {
    const { html, text } = await renderMail(name, SAMPLES[name], PUBLIC_URL)

    for (const fact of [shop.legal.name, shop.contact.phone, shop.contact.email]) expect(text).toContain(fact)
    expect(html).toContain('color-scheme')
    expect(html).toContain('prefers-color-scheme: dark')
    expect(html).toContain('lang="en-ZA"')
    expect(coloursWithoutDarkRule(html)).toEqual([])
  })

  it('uses only colours and fonts of the brand in e-mails', async () => {
    const { html } = await renderMail(name, SAMPLES[name], PUBLIC_URL)

    const brand: string[] = [...Object.values(colour), ...Object.values(darkColour)]
    const used = [...html.matchAll(/(?<!&)#[\da-f]{3,8}(?=[;"\s}])/gi)].map(([hex]) => hex.toLowerCase())
    expect(used).toContain(colour.sea)
    expect(used.filter((hex) => !brand.includes(hex))).toEqual([])
    const faces = [...html.matchAll(/font-family:\s*(?:'|&#x27;)([^'&]+)/g)].map(
      ([, face]) => `'${face} Variable'`,
    )
    expect(faces.length).toBeGreaterThan(0)
    const own = Object.values(pageFont).map((font) => font.split(',')[0])
    expect(faces.filter((face) => !own.includes(face))).toEqual([])
  })

  it('uses absolute URLs for links and pictures in e-mails', async () => {
    const { html } = await renderMail(name, SAMPLES[name], PUBLIC_URL)

    const addresses = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address)
    for (const address of addresses) expect(address).toMatch(/^(https:|mailto:|tel:)/)
  })

  it('rejects the props of another e-mail template', async () => {
    if (Object.keys(SAMPLES[name] ?? {}).length === 0) return
    await expect(renderMail(name, { nonsense: true }, PUBLIC_URL)).rejects.toThrow()
  })
})

it('aligns the columns of an order in the e-mail’s text part', async () => {
  const { text } = await renderMail('order-confirmation', SAMPLES['order-confirmation'], PUBLIC_URL)

  const lines = text.replaceAll('\u00a0', ' ').split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/^Total +R1 558\.00$/))
  expect(lines).toContainEqual(expect.stringMatching(/^Discount +−R82\.00$/))
  expect(lines).toContainEqual(expect.stringMatching(/^Shipping +Free$/))
})

it.each(['order-confirmation', 'order-notification'] as const)(
  'shows what each line costs in the e-mail %s, and where the parcel goes',
  async (name) => {
    const { text } = await renderMail(name, SAMPLES[name], PUBLIC_URL)

    const lines = text.split('\n').map((line) => line.trim())
    expect(lines).toContain('3 × R500.00')
    expect(lines).toContainEqual(expect.stringMatching(/^Slow Sinking Stick Bait.*R1\s500\.00$/))
    expect(lines).toContain('12 Beach Road')
  },
)

it('shows the customer’s note to the owner', async () => {
  const { text } = await renderMail('order-notification', SAMPLES['order-notification'], PUBLIC_URL)

  expect(text).toContain('Please ring twice')
})

it('keeps the line breaks of a staff e-mail and adds one greeting and signature', async () => {
  const message = 'Hi Johan,\n\nthe Redhead is painted\nand dries until Tuesday.'
  const email = { subject: 'Your lure', message, customerName: 'Johan Pretorius', senderName: 'Pieter' }
  const { text } = await renderMail('admin-email', email, PUBLIC_URL)

  expect(text).toContain(`${message}\n\nPieter\n${shop.name}\n`)
  expect(text.match(/Hi Johan/g)).toHaveLength(1)
})

it.each([
  'payment-reminder',
  'order-confirmation',
  'order-status-update',
  'refund',
  'refund-correction',
  'payment-correction',
] as const)('links from the e-mail %s to the order’s page', async (name) => {
  const { html, text } = await renderMail(name, SAMPLES[name], PUBLIC_URL)
  const { orderId }: { orderId?: string } = SAMPLES[name]

  for (const part of [html, text]) {
    expect(part).toContain(`${PUBLIC_URL}/account/orders/${orderId}`)
  }
})

it('states day and amount of a withdrawn refund and explains the correction', async () => {
  const sample = { ...SAMPLES['refund-correction'] }
  const { subject, text } = await renderMail('refund-correction', sample, PUBLIC_URL)
  expect(subject).toBe('Correction to your refund for order 00042')
  const [kept = '', due = ''] = [
    text,
    (await renderMail('refund-correction', { ...sample, status: 'cancelled' }, PUBLIC_URL)).text,
  ].map((words) => words.replaceAll(/\s+/g, ' '))

  expect(kept).toContain('We told you on 12 November 2026 that we refunded R500.00 of your order 00042.')
  expect(kept).toContain('we did not send you this R500.00')
  expect(kept).toContain(
    'You paid R1 558.00 in total, and all of it still counts towards your order. The lures that we had taken off',
  )
  expect(due).toContain('We’ll refund R1 558.00 to the card or bank account that you paid with.')
  expect(due).not.toContain('lures')
})

it('tells the customer whose payment was recorded by mistake what is still to pay, or that nothing is', async () => {
  const sample = { ...SAMPLES['payment-correction'] }
  const { subject, text } = await renderMail('payment-correction', sample, PUBLIC_URL)
  expect(subject).toBe('Correction to your payment for order 00042')
  const [waiting = '', cancelled = ''] = [
    text,
    (await renderMail('payment-correction', { ...sample, status: 'cancelled' }, PUBLIC_URL)).text,
  ].map((words) => words.replaceAll(/\s+/g, ' '))

  expect(waiting).toContain(
    'We told you on 12 November 2026 that we received R1 558.00 for your order 00042.',
  )
  expect(waiting).toContain('we have not received this R1 558.00 from you')
  expect(waiting).toContain('Your order is waiting for payment again.')
  expect(cancelled).toContain('Your order is cancelled. We have no payment for it.')
  expect(cancelled).not.toContain('waiting for payment')
})

it('says that everything is refunded after a full refund', async () => {
  const money = { received: 1558, refunded: 1558, ways: ['payfast'] }

  const { text } = await renderMail('refund', { ...SAMPLES.refund, refundAmount: 1558, money }, PUBLIC_URL)

  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    'You paid R1 558.00 in total, and we have now refunded all of it.',
  )
})

it('promises the remaining refund when a cancelled order is partly refunded', async () => {
  const sample = {
    ...SAMPLES.refund,
    status: 'cancelled',
    money: { received: 1558, refunded: 500, ways: ['payfast'] },
  }

  const { text } = await renderMail('refund', sample, PUBLIC_URL)

  expect(text.replaceAll(/\s+/g, ' ')).toContain('We’ll refund R1 058.00')
  expect(text).not.toContain('counts towards your order')
})

it('links to the parcel’s tracking page only after the order is shipped', async () => {
  const shipped = { ...SAMPLES['order-status-update'], trackingNumber: 'TCG 1/2&3' }
  const link = 'https://portal.thecourierguy.co.za/track?ref=TCG%201%2F2%263'

  expect((await renderMail('order-status-update', shipped, PUBLIC_URL)).text).toContain(link)
  const processing = { ...shipped, status: 'processing' }
  expect((await renderMail('order-status-update', processing, PUBLIC_URL)).text).not.toContain('track?ref')
})

/** Each inline colour needs the class whose `!important` rule replaces it in dark mode. Links inherit the rule of their line. */
const DARK_CLASS: Record<string, string> = {
  [`color:${colour.ink}`]: 'ink',
  [`color:${colour.muted}`]: 'muted',
  [`background-color:${colour.paper}`]: 'page',
  [`background-color:${colour.card}`]: 'card',
  [`background-color:${colour.action}`]: 'action',
  [`color:${colour.onAction}`]: 'action',
}
/** The header is dark in both modes. */
const ALWAYS_DARK = [`color:${colour.onDark}`, `background-color:${colour.sea}`]

function coloursWithoutDarkRule(html: string): string[] {
  return [...html.matchAll(/<(\w+)([^>]*?) style="([^"]*)"/g)].flatMap(
    ([, tag = '', attributes = '', style = '']) =>
      [...style.matchAll(/(?:^|;)((?:background-)?color:[^;]+)/g)]
        .map(([, declaration = '']) => declaration)
        .filter((declaration) => !ALWAYS_DARK.includes(declaration))
        .filter((declaration) => {
          const needed = DARK_CLASS[declaration]
          const isMutedLink = tag === 'a' && needed === 'muted'
          // The page's table repeats the body's colour, and its rule covers both.
          const isPage = needed === 'page'
          return (
            !isMutedLink && !isPage && !(needed && new RegExp(`class="[^"]*\\b${needed}\\b`).test(attributes))
          )
        })
        .map((declaration) => `<${tag}> ${declaration}`),
  )
}

function wordsOf(html: string): string {
  return html.replaceAll(/<!--.*?-->|<[^>]+>/g, '').replaceAll(/\s+/g, ' ')
}

it('warns a recipient who did not sign up not to confirm the account', async () => {
  const { html, text } = await renderMail('email-confirmation', SAMPLES['email-confirmation'], PUBLIC_URL)

  for (const part of [html, text]) {
    expect(part.replaceAll(/\s+/g, ' ')).toContain('Didn’t sign up? Then please don’t tap the button')
  }
})

it('does not announce a new account in the verification e-mail of an existing account', async () => {
  const verification = await renderMail('email-verification', SAMPLES['email-verification'], PUBLIC_URL)
  const confirmation = await renderMail('email-confirmation', SAMPLES['email-confirmation'], PUBLIC_URL)

  expect(verification.text).not.toContain('account is ready')
  expect(verification.text.replaceAll(/\s+/g, ' ')).toContain('There is an account with this address.')
  expect(confirmation.text).toContain('One tap and your account is ready.')
})

it.each(MAIL_TEMPLATES)('queues the e-mail %s somewhere', (name) => {
  const sources = globSync('{supabase/schema/**/*.sql,server/**/*.ts,supabase/functions/**/handler.ts}')

  const queuedIn = sources.filter((file) => new RegExp(`['"]?${name}['":]`).test(readFileSync(file, 'utf8')))
  expect(queuedIn, 'Queue it in supabase/schema/ with private.queue_mail().').not.toEqual([])
})

it('queues in SQL only e-mails that have a template', () => {
  const queued = globSync('supabase/schema/**/*.sql').flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(
        /perform private\.queue_(?:marketing_)?mail\([^;]*?, '([a-z-]+)',/g,
      ),
      ([, name]) => name,
    ),
  )

  expect(queued.length).toBeGreaterThan(8)
  expect(MAIL_TEMPLATES).toEqual(expect.arrayContaining(queued))
})

/** Their tests recognise them by the subject, the link or the unsubscribe headers. */
const TESTED_WITHOUT_NAME = ['back-in-stock', 'email-confirmation', 'email-verification', 'sign-in-link']

it('has a test of the occasion of each e-mail', () => {
  const tests = globSync('{emails/outbox,payments,server,supabase,test}/**/*.test.ts').map((file) =>
    readFileSync(file, 'utf8'),
  )
  const untested = MAIL_TEMPLATES.filter(
    (name) => !TESTED_WITHOUT_NAME.includes(name) && !tests.some((text) => text.includes(`'${name}'`)),
  )

  expect(untested, 'Test when it is queued, for example in supabase/tests/order-mails.test.ts.').toEqual([])
})
