import type { ReactElement } from 'react'
import type { z } from 'zod'

/** One kind of mail: what it needs, what it is called, what it says. */
export interface MailTemplate<Props> {
  props: z.ZodType<Props>
  subject: (props: Props) => string
  Body: (props: Props & { publicUrl: string }) => ReactElement
  /** Where an answer should go, when it is not to the shop. */
  replyTo?: (props: Props) => string | null
  /** Where its reader ends such mails with one click. */
  unsubscribePath?: (props: Props) => string
}

/** A template whose props have been read from a row, bound to them. */
export interface BoundTemplate {
  subject: string
  body: ReactElement
  replyTo: string | null
  unsubscribePath: string | null
}

export type BindTemplate = (props: unknown, publicUrl: string) => BoundTemplate

/** Hides each template's own type of props, so that templates can stand in one table. */
export function template<Props>({
  props: schema,
  subject,
  Body,
  replyTo,
  unsubscribePath,
}: MailTemplate<Props>): BindTemplate {
  return (stored, publicUrl) => {
    const props = schema.parse(stored)
    return {
      subject: subject(props),
      body: Body({ ...props, publicUrl }),
      replyTo: replyTo?.(props) ?? null,
      unsubscribePath: unsubscribePath?.(props) ?? null,
    }
  }
}
