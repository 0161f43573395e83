import { createContext } from 'react'

/** Known while the server renders; a browser hides it from scripts. */
export const NonceContext = createContext<string | undefined>(undefined)
