import type { MailName } from '#domain/mails.ts'
import { type RenderedMail, renderMail } from '#emails/render-mail.ts'
import { SAMPLES } from '#emails/samples.ts'

export const SAMPLE_ORIGIN = 'https://shop.example'

/** Renders the sample of a mail with `changes`. Its subject and its text part have each run of white space as one space. */
export async function sampleMail(name: MailName, changes: object = {}): Promise<RenderedMail> {
  const mail = await renderMail(name, { ...SAMPLES[name], ...changes }, SAMPLE_ORIGIN)
  return { ...mail, text: mail.text.replaceAll(/\s+/g, ' '), subject: mail.subject.replaceAll(/\s+/g, ' ') }
}
