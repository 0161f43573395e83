import { Link } from 'react-router'
import { shop } from '#shop'
import { listed } from '../page-meta.ts'
import { shippingTexts, useShippingTerms } from '../catalogue/shipping-terms.ts'
import { ReadingPage } from '../reading/reading-page.tsx'
import { termsSections } from './sections.tsx'

export const meta = listed({
  title: 'Terms of Service',
  description: `What you and ${shop.name} agree to when you order: prices, payment, delivery, your rights to cancel and return.`,
  path: '/terms-of-service',
})

export default function TermsOfService() {
  const texts = shippingTexts(useShippingTerms())
  return (
    <ReadingPage
      title="Terms of Service"
      isPolicy
      opening={
        <p>
          What you and we agree to when you order. Our <Link to="/privacy-policy">Privacy Policy</Link>{' '}
          explains how we handle your information.
        </p>
      }
      sections={termsSections(texts)}
    />
  )
}
