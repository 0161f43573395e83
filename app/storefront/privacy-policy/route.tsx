import { Link } from 'react-router'
import { shop } from '#shop'
import { listed } from '../page-meta.ts'
import { ReadingPage } from '../reading/reading-page.tsx'
import { sections } from './sections.tsx'

export const meta = listed({
  title: 'Privacy Policy',
  description: `What ${shop.name} knows about you, why, who else sees it, and your rights under POPIA.`,
  path: '/privacy-policy',
})

export default function PrivacyPolicy() {
  return (
    <ReadingPage
      title="Privacy Policy"
      isPolicy
      opening={
        <p>
          We ask only for what we need to make, send and stand behind your order, and we never sell it. Our{' '}
          <Link to="/cookie-policy">Cookie Policy</Link> covers what we store in your browser.
        </p>
      }
      sections={sections}
    />
  )
}
