import { createContext } from 'react'

/** Set on the server only: browsers hide nonces from scripts. */
export const NonceContext = createContext<string | undefined>(undefined)
