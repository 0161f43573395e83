import type { QuestionElement } from '#app/storefront/faq/questions.tsx'
import type { UrlOf } from '#app/storefront/page-meta.ts'
import { plainText } from '../structured-data/plain-text.ts'

export function faqJsonLd(questions: readonly QuestionElement[], urlOf: UrlOf): object {
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
