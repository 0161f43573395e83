import { shop } from '#shop'
import { pageMeta, termsFrom } from '../page-meta.ts'
import { shippingTexts, useShippingTerms } from '../catalogue/shipping-terms.ts'
import { ReadingPage } from '../reading/reading-page.tsx'
import type { Route } from './+types/route'
import { shippingReturnsSections } from './sections.tsx'

export const meta: Route.MetaFunction = ({ matches }) => {
  const { flatRate, freeFrom } = shippingTexts(termsFrom(matches))
  return pageMeta({
    title: 'Shipping & Returns',
    description: `Shipping for ${flatRate}, free on orders from ${freeFrom}, and ${shop.returns.policyDays} days to send a lure back.`,
    path: '/shipping-returns',
    matches,
  })
}

export default function ShippingReturns() {
  const texts = shippingTexts(useShippingTerms())
  return (
    <ReadingPage
      title="Shipping & Returns"
      isPolicy
      opening={
        <p>
          {texts.flatRate} to {texts.offersLocker && 'a locker or '}your door, free on orders from{' '}
          {texts.freeFrom}. {shop.returns.policyDays} days to send it back unused.
        </p>
      }
      sections={shippingReturnsSections(texts)}
    />
  )
}
