/** The label of the box and the switch. It is stored with each consent (POPIA s69) and must equal `private.marketing_wording()`. */
export const MARKETING_WORDING = 'Yes, e-mail me news and offers. I can unsubscribe at any time.'

/** Stored with each withdrawal. */
export const MARKETING_WITHDRAWAL = 'Stop sending me news and offers.'
