import type { Settings } from './settings.ts'

/** The mailbox shows sign-in links to whoever asks: it exists for a shop on this machine, and only while nothing is sent. */
export function hasMailbox({ smtpUrl, isLocal }: Settings): boolean {
  return !smtpUrl && isLocal
}
