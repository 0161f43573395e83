import type { ComponentType } from 'react'

/** The header and footer around a page. A route can replace them with `handle.frame`. */
export interface FrameParts {
  Header: ComponentType
  Footer: ComponentType
}
