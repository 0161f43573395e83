import { Plus } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { Link } from 'react-router'
import { Row, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import type { ShippingTexts } from '../catalogue/shipping-terms.ts'
import styles from './faq.module.css'

interface QuestionProps {
  question: string
  /** The answer. */
  children: ReactNode
}

export type QuestionElement = ReactElement<QuestionProps>

function Question({ question, children }: QuestionProps) {
  return (
    <Text as="details" divided="below" className={styles.question}>
      <Row as="summary" gap={4} justify="between" size="l" weight={650} block={3} className={styles.summary}>
        <span>{question}</span>
        <Plus size={22} aria-hidden />
      </Row>
      <Text as="div" measure={62} className={styles.answer}>
        {children}
      </Text>
    </Text>
  )
}

const { shipping, returns, orders } = shop

/* oxlint-disable react/jsx-key -- the page sets the keys */
const questions: readonly (QuestionElement | ((texts: ShippingTexts) => QuestionElement))[] = [
  <Question question="How long does delivery take?">
    <p>
      We pack in {facts.processing}, and the courier takes another {facts.delivery}. We'll e-mail you the
      tracking number when it leaves us. {facts.madeToOrder}
    </p>
  </Question>,
  ({ flatRate, freeFrom, offersLocker }) => (
    <Question question="What does shipping cost?">
      <p>
        {flatRate} anywhere in South Africa, {offersLocker && 'to a locker or '}to your door. From {freeFrom}{' '}
        it is free. We send with {shipping.courier}.
      </p>
    </Question>
  ),
  <Question question="How do I pay, and is it safe?">
    <p>
      By card or one of the other ways PayFast offers, on PayFast’s own secure page. Your card details never
      reach us.
    </p>
  </Question>,
  <Question question="Can I change or cancel my order?">
    <p>
      Within {orders.changeableHours} hours of placing it, yes. Write to <EmailLink /> with your order number.
      After that you can still <Link to="/shipping-returns#returns">send it back</Link>.
    </p>
  </Question>,
  <Question question="Can I return a lure?">
    <p>
      Yes: {returns.policyDays} days, unused. Within {returns.coolingOffDays} days of receiving it you get
      everything back, shipping included. <Link to="/shipping-returns#returns">Shipping &amp; Returns</Link>{' '}
      has the details.
    </p>
  </Question>,
  <Question question="What if a lure is defective?">
    <p>
      Tell us within {returns.defectMonths} months and we repair it, replace it or refund you. You choose, and
      we pay for the courier.
    </p>
  </Question>,
  <Question question="With hooks or without?">
    <p>
      With hooks, the lure comes rigged with the trebles we recommend, ready to tie on. Without, you fit your
      own; the size we recommend is on each product page and in the <Link to="/size-guide">Size Guide</Link>.
    </p>
  </Question>,
  <Question question="Which lure do I need?">
    <p>
      A popper throws water and calls fish up from below; a stick bait casts far into wind and swims under the
      surface. Match the weight to your rod first, then the length to what the fish are eating. Not sure? Tell
      us where you fish.
    </p>
  </Question>,
  <Question question="A colour is sold out. Will it come back?">
    <p>
      We still make every colour on the site. Choose the sold-out colour on its{' '}
      <Link to="/products">product page</Link>, press “Tell me when it is back”, and we'll e-mail you once
      when you can buy it again.
    </p>
  </Question>,
  <Question question="How do I look after my lures?">
    <p>
      Rinse them in fresh water after fishing, let them dry out of the sun, and store them apart, so that
      hooks do not scratch paint. Change rusty hooks and split rings before they cost you a fish.
    </p>
  </Question>,
]
/* oxlint-enable react/jsx-key */

export function questionsFor(texts: ShippingTexts): QuestionElement[] {
  return questions.map((entry) => (typeof entry === 'function' ? entry(texts) : entry))
}
