/** What stands beside the box and the switch; the ledger of consent keeps it with each yes (POPIA s69), as `private.welcome_subscriber` spells it. */
export const MARKETING_WORDING = 'Yes, e-mail me news and offers. I can unsubscribe at any time.'

/** What a no is kept as. */
export const MARKETING_REFUSAL = 'Stop sending me news and offers.'
