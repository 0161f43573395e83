import { shop } from '#shop'

const GREETING =
  /^\s*(hi|hello|hey|howzit|dear|good (morning|day|afternoon|evening)|morning|afternoon|evening|hallo|goeie|môre|molo|sawubona|dumela)(?=[\s,!.]|$)/i

/** Returns the greeting of a mail from staff; `null` if the message has one already or the name is unknown. */
export function emailGreeting(message: string, name: string | null | undefined): string | null {
  const [first] = name?.trim().split(/\s+/, 1) ?? []
  return first && !GREETING.test(message) ? `Hi ${first},` : null
}

export function emailSignature(senderName: string | null | undefined): string[] {
  return [senderName?.trim() ?? '', shop.name].filter(Boolean)
}
