import { Link } from 'react-router'
import { shop } from '#shop'
import { pageMeta } from '../page-meta.ts'
import { ReadingPage } from '../reading/reading-page.tsx'
import type { Route } from './+types/route'
import { sections } from './sections.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Privacy Policy',
    description: `What ${shop.name} knows about you, why, who else sees it, and what you can ask of us under POPIA.`,
    path: '/privacy-policy',
    matches,
  })

export default function PrivacyPolicy() {
  return (
    <ReadingPage
      title="Privacy Policy"
      isPolicy
      opening={
        <p>
          We ask for what it takes to make, send and stand behind your order. We sell none of it. What stays
          in your browser is in the <Link to="/cookie-policy">Cookie Policy</Link>.
        </p>
      }
      sections={sections}
    />
  )
}
