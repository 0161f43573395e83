import { useSyncExternalStore } from 'react'

/** What a mailed link brought behind the `#`, once its button was pressed. */
export type LinkAnswer =
  | { kind: 'none' }
  /** Spent, too old, or not ours. */
  | { kind: 'refused' }
  /** The other mailbox has to agree, too. */
  | { kind: 'half-done' }
  | { kind: 'done'; type: string }

/** Read as the page arrives: the backend's client takes the tokens out of the address. A link is always a new page. */
const arrived = typeof location === 'undefined' ? null : readAnswer(location.hash)

/** `null` until the page has come alive. */
export function useLinkAnswer(): LinkAnswer | null {
  return useSyncExternalStore(
    neverChanges,
    () => arrived,
    () => null,
  )
}

function neverChanges() {
  return () => {}
}

export function readAnswer(hash: string): LinkAnswer {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  if (values.has('error_code') || values.has('error')) return { kind: 'refused' }
  if (values.has('access_token')) return { kind: 'done', type: values.get('type') ?? '' }
  if (values.has('message')) return { kind: 'half-done' }
  return { kind: 'none' }
}
