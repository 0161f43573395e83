import { describe, expect, it } from 'vitest'
import { shop } from '#shop'
import { SAMPLE_ORIGIN, sampleMail } from '#test/sample-mail.ts'
import { renderMail } from './render-mail.ts'
import { SAMPLES } from './samples.ts'

describe('the mails about a message or a photo', () => {
  it('shows the shop who wrote and the whole message, and is answered to its sender', async () => {
    const { subject, text, replyTo } = await sampleMail('contact-notification')

    expect(subject).toBe('Message from Sipho Dlamini: Hooks for the 150')
    expect(text).toContain('Sipho Dlamini · sipho@example.com')
    expect(text).toContain('Howzit, which hooks fit the 150 mm popper? Sipho')
    expect(replyTo).toBe('sipho@example.com')
  })

  it('shows the shop who sent a photo and what it shows, and is answered to its sender', async () => {
    const { text, replyTo } = await sampleMail('gallery-notification')

    expect(text).toContain('Sipho Dlamini · sipho@example.com')
    expect(text).toContain('Garrick, 8 kg, off the rocks at first light.')
    expect(replyTo).toBe('sipho@example.com')
  })

  it('answers to the shop when the sender of a photo left no address', async () => {
    expect((await sampleMail('gallery-notification', { email: null })).replyTo).toBeNull()
  })

  it('quotes the question that staff answer, with its South African time', async () => {
    const { text } = await sampleMail('admin-email')

    expect(text).toMatch(/On 21 November 2026 at 10:00 you wrote: .*When is it ready\? And does it float\?/)
  })

  it('quotes nothing in an e-mail that answers no message', async () => {
    expect((await sampleMail('admin-email', { question: null })).text).not.toContain('you wrote')
  })

  it('starts a new line wherever the message has one, of whatever kind', async () => {
    const { text } = await renderMail(
      'contact-notification',
      { ...SAMPLES['contact-notification'], message: 'first\nsecond\r\nthird' },
      SAMPLE_ORIGIN,
    )

    expect(text).toContain('first\nsecond\nthird')
  })
})

describe('the newsletter mails', () => {
  it('repeats the wording that was agreed to, with the link that confirms it', async () => {
    const { text } = await sampleMail('newsletter-confirmation')

    expect(text).toContain('agreed to: “Yes, e-mail me news and offers. I can unsubscribe at any time.”')
    expect(text).toContain(`${SAMPLE_ORIGIN}/mail/confirm/00000000000040008000000000000007`)
  })

  it('names the welcome code and the value from which it counts', async () => {
    const { text } = await sampleMail('newsletter-signup')

    expect(text).toContain(
      `Your code ${shop.welcomeCode} takes ${shop.welcomeOffer.percent}% off your first order of R${shop.welcomeOffer.fromRand} or more.`,
    )
  })

  it('unsubscribes by the secret of the subscriber, in the text as in the header', async () => {
    const { text, unsubscribePath } = await sampleMail('newsletter-signup', { unsubscribeSecret: 'a-secret' })

    expect(unsubscribePath).toMatch(/\/a-secret$/)
    expect(text).toContain(`<${SAMPLE_ORIGIN}${unsubscribePath}>`)
  })
})

describe('the stock mails', () => {
  it('names the colour that is back, and links to it and to the end of all alerts', async () => {
    const { subject, text, unsubscribePath } = await sampleMail('back-in-stock')

    expect(subject).toBe('Pink Stinger is back: Chisel Nose Popper 200mm/50G')
    expect(text).toContain(`<${SAMPLE_ORIGIN}/products/chisel-nose-popper-200mm-50g/pink-stinger>`)
    expect(text).toContain(`<${SAMPLE_ORIGIN}${unsubscribePath}>`)
  })

  it('counts the colours that run low in its subject, and says how many are left of each', async () => {
    const { subject, text } = await sampleMail('low-stock')

    expect(subject).toBe('Running low: 2 colours')
    expect(text).toMatch(/Mahi Mahi.*none left.*Pink Stinger.*2 left/)
  })

  it.each([
    { left: 0, words: 'none left' },
    { left: 1, words: '1 left' },
  ])('names the only colour that runs low and what is left of it: $words', async ({ left, words }) => {
    const colour = { productId: 'p', productName: 'Popper', variantName: 'Mullet', left }

    expect((await sampleMail('low-stock', { colours: [colour] })).subject).toBe(
      `Running low: Mullet, ${words}`,
    )
  })
})

describe('the alert mail', () => {
  it('says what is wrong, what to do about it, and since when in South African time', async () => {
    const { subject, text } = await sampleMail('alert')

    expect(subject).toBe('Shop alert: backups')
    expect(text).toContain('The newest backup is 27 hours old')
    expect(text).toContain('Check that /backups is mounted')
    expect(text).toContain('Since 21 November 2026 at 10:30.')
  })

  it('calls a warning an alert, and only a component that works again all clear', async () => {
    expect((await sampleMail('alert', { state: 'warning' })).subject).toBe('Shop alert: backups')
    const { subject, text } = await sampleMail('alert', { state: 'ok' })
    expect(subject).toBe('All clear: backups')
    expect(text).toContain('The problem began on 21 November 2026 at 10:30.')
  })
})

describe('the account mails', () => {
  it.each([
    'email-confirmation',
    'email-verification',
    'password-recovery',
    'sign-in-link',
    'invitation',
    'email-change-from-here',
    'email-change-to-here',
  ] as const)('contains in %s the link that the account waits for', async (name) => {
    const { html, text } = await sampleMail(name)

    for (const part of [html, text])
      expect(part).toContain('https://shop.example/auth/v1/verify?token=example')
  })

  it('shows the code that protects a change, in subject and text', async () => {
    const { subject, text } = await sampleMail('reauthentication')

    expect(subject).toBe(`042317 is your ${shop.name} code`)
    expect(text).toContain('042317')
  })

  it('says that the link for a new password expires in one hour', async () => {
    expect((await sampleMail('password-recovery')).text).toContain(
      'The link works once and expires in one hour.',
    )
  })
})
