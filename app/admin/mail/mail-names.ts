import { isMailName, MAIL_NAMES } from '#domain/mails.ts'

/** The template's name for staff. Mails of older versions may have other templates. */
export function mailName(template: string): string {
  return isMailName(template) ? MAIL_NAMES[template] : template.replaceAll('-', ' ')
}
