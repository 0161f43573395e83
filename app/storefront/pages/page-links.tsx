import { useSearchParams } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { pageAddress } from './page-number.ts'
import styles from './page-links.module.css'

interface PageLinksProps {
  /** Of what there are pages: "lures". */
  of: string
  path: string
  page: number
  hasNext: boolean
  /** Where this page stands: "Page 2 of 5". */
  text: string
}

/** The way through a list that is too long for one page; nothing while it is not. */
export function PageLinks({ of, path, page, hasNext, text }: PageLinksProps) {
  const [params] = useSearchParams()
  if (page === 1 && !hasNext) return null
  return (
    <nav className={styles.pages} aria-label={`Pages of ${of}`}>
      {page > 1 && (
        <ButtonLink rel="prev" to={pageAddress(path, params, page - 1)}>
          Previous
        </ButtonLink>
      )}
      <span className={styles.text}>{text}</span>
      {hasNext && (
        <ButtonLink rel="next" look="solid" to={pageAddress(path, params, page + 1)}>
          Next
        </ButtonLink>
      )}
    </nav>
  )
}
