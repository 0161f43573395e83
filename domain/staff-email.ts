import { shop } from '#shop'

const GREETING =
  /^\s*(hi|hello|hey|howzit|dear|good (morning|day|afternoon|evening)|morning|afternoon|evening|hallo|goeie|môre|molo|sawubona|dumela)(?=[\s,!.]|$)/i

/** The greeting that a mail of staff begins with; `null` where its words have one already, or there is no name. */
export function emailGreeting(message: string, name: string | null | undefined): string | null {
  const [first] = name?.trim().split(/\s+/, 1) ?? []
  return first && !GREETING.test(message) ? `Hi ${first},` : null
}

/** The lines below a mail of staff. */
export function emailSignature(senderName: string | null | undefined): string[] {
  return [senderName?.trim() ?? '', shop.name].filter(Boolean)
}
