import { shop } from '#shop'
import { pageMeta } from '../page-meta.ts'
import { facts } from '../reading/facts.ts'
import { ReadingPage } from '../reading/reading-page.tsx'
import type { Route } from './+types/route'
import { sections } from './sections.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Shipping & Returns',
    description: `Shipping for ${facts.flatRate}, free from ${facts.freeFrom}, and ${shop.returns.policyDays} days to send a lure back.`,
    path: '/shipping-returns',
    matches,
  })

export default function ShippingReturns() {
  return (
    <ReadingPage
      title="Shipping & Returns"
      isPolicy
      opening={
        <p>
          {facts.flatRate} to a locker or your door, free from {facts.freeFrom}. {shop.returns.policyDays}{' '}
          days to send it back unused.
        </p>
      }
      sections={sections}
    />
  )
}
