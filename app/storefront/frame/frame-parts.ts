import type { ComponentType } from 'react'

/** What stands above and below a page's content. A route sets its own as `handle.frame`. */
export interface FrameParts {
  Header: ComponentType
  Footer: ComponentType
}
