import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { pageMeta } from '../page-meta.ts'
import { shippingTexts, useShippingTerms } from '../catalogue/shipping-terms.ts'
import { faqJsonLd } from './faq-json-ld.ts'
import type { Route } from './+types/route'
import styles from './faq.module.css'
import { questionsFor } from './questions.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'FAQ',
    description: `What anglers ask ${shop.name}: shipping, payment, returns, hooks and looking after a lure.`,
    path: '/faq',
    matches,
    jsonLd: import.meta.env.SSR
      ? (urlOf, terms) => [faqJsonLd(questionsFor(shippingTexts(terms)), urlOf)]
      : undefined,
  })

export default function Faq() {
  const questions = questionsFor(shippingTexts(useShippingTerms()))
  return (
    <Stack contained="page" gap={6} className={styles.page}>
      <Stack as="header" gap={4} className={styles.head}>
        <h1>Frequently Asked Questions</h1>
        <p>
          Not here? <Link to="/contact">Write to us</Link> or phone <PhoneLink />.
        </p>
      </Stack>
      <div className={styles.questions}>
        {questions.map(({ question, answer }) => (
          <details key={question} className={styles.question}>
            <Row as="summary" gap={4} justify="between" size="l" weight={650} className={styles.summary}>
              <span>{question}</span>
              <Plus size={22} aria-hidden />
            </Row>
            <div className={styles.answer}>{answer}</div>
          </details>
        ))}
      </div>
    </Stack>
  )
}
