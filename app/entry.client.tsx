import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { retryRefused } from './data/retry-refused.ts'

// Also for the data of pages, which React Router loads with the global function.
window.fetch = retryRefused(window.fetch.bind(window))

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})
