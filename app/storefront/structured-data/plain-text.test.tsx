import { expect, it } from 'vitest'
import { Link } from 'react-router'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { plainText } from './plain-text.ts'

// covers S43
it('extracts the text of paragraphs, links and e-mail addresses', () => {
  const answer = (
    <>
      <p>
        Write to <EmailLink /> or see <Link to="/size-guide">Size Guide</Link>.
      </p>
      <p>Within {30} days.</p>
    </>
  )

  expect(plainText(answer)).toBe(`Write to ${shop.contact.email} or see Size Guide. Within 30 days.`)
})
