import type { Settings } from './settings.ts'

/** The mailbox shows sign-in links without authentication, so it exists only on a local shop that sends no e-mail. */
export function hasMailbox({ smtpUrl, isLocal }: Settings): boolean {
  return !smtpUrl && isLocal
}
