import { ChevronLeft } from 'lucide-react'
import { Link } from 'react-router'
import { Row } from '#app/ui/layout.tsx'

/** A link to the list that the page belongs to. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <div>
      <Row as={Link} inline gap={1} size="s" weight={600} touch to={to}>
        <ChevronLeft size={18} aria-hidden /> {children}
      </Row>
    </div>
  )
}
