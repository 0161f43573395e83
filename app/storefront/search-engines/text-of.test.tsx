import { expect, it } from 'vitest'
import { Link } from 'react-router'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { textOf } from './text-of.ts'

// covers S43
it('reads paragraphs, links and addresses as the page shows them', () => {
  const answer = (
    <>
      <p>
        Write to <EmailLink /> or see <Link to="/size-guide">Size Guide</Link>.
      </p>
      <p>Within {30} days.</p>
    </>
  )

  expect(textOf(answer)).toBe(`Write to ${shop.contact.email} or see Size Guide. Within 30 days.`)
})
