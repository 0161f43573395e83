import type { Question } from '#app/storefront/faq/questions.tsx'
import type { UrlOf } from '#app/storefront/page-meta.ts'
import { textOf } from './text-of.ts'

/** The questions as the page asks them, the answers in its words. */
export function faqPage(questions: readonly Question[], urlOf: UrlOf): object {
  return {
    '@type': 'FAQPage',
    '@id': urlOf('/faq'),
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: textOf(answer) },
    })),
  }
}
