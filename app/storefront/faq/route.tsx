import { Children } from 'react'
import { Link } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { listed } from '../page-meta.ts'
import { shippingTexts, useShippingTerms } from '../catalogue/shipping-terms.ts'
import styles from './faq.module.css'
import { questionsFor } from './questions.tsx'
import type { QuestionElement } from '#app/storefront/faq/questions.tsx'
import type { UrlOf } from '#app/storefront/page-meta.ts'
import { plainText } from '../structured-data/plain-text.ts'

export const meta = listed({
  title: 'FAQ',
  description: `What anglers ask ${shop.name}: shipping, payment, returns, hooks and looking after a lure.`,
  path: '/faq',
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
      <Text as="div" divided="strong">
        {Children.toArray(questions)}
      </Text>
    </Stack>
  )
}

function faqJsonLd(questions: readonly QuestionElement[], urlOf: UrlOf): object {
  return {
    '@type': 'FAQPage',
    '@id': urlOf('/faq'),
    mainEntity: questions.map(({ props: { question, children } }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: plainText(children) },
    })),
  }
}
