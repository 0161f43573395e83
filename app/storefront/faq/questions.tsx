import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import type { ShippingTexts } from '../catalogue/shipping-terms.ts'

export interface Question {
  question: string
  answer: ReactNode
}

const { shipping, returns, orders } = shop

const questions: readonly (Question | ((texts: ShippingTexts) => Question))[] = [
  {
    question: 'How long does delivery take?',
    answer: (
      <p>
        We pack in {facts.processing}, and the courier takes another {facts.delivery}. We'll e-mail you the
        tracking number when it leaves us.
      </p>
    ),
  },
  ({ flatRate, freeFrom }) => ({
    question: 'What does shipping cost?',
    answer: (
      <p>
        {flatRate} anywhere in South Africa, to a locker or to your door. From {freeFrom} it is free. We send
        with {shipping.courier}.
      </p>
    ),
  }),
  {
    question: 'How do I pay, and is it safe?',
    answer: (
      <p>
        By card or one of the other ways PayFast offers, on PayFast’s own secure page. Your card details never
        reach us.
      </p>
    ),
  },
  {
    question: 'Can I change or cancel my order?',
    answer: (
      <p>
        Within {orders.changeableHours} hours of placing it, yes. Write to <EmailLink /> with your order
        number. After that you can still <Link to="/shipping-returns#returns">send it back</Link>.
      </p>
    ),
  },
  {
    question: 'Can I return a lure?',
    answer: (
      <p>
        Yes: {returns.policyDays} days, unused. Within {returns.coolingOffDays} days of receiving it you get
        everything back, shipping included. <Link to="/shipping-returns#returns">Shipping &amp; Returns</Link>{' '}
        has the details.
      </p>
    ),
  },
  {
    question: 'What if a lure is defective?',
    answer: (
      <p>
        Tell us within {returns.defectMonths} months and we repair it, replace it or refund you. You choose,
        and we pay for the courier.
      </p>
    ),
  },
  {
    question: 'With hooks or without?',
    answer: (
      <p>
        With hooks, the lure comes rigged with the trebles we recommend, ready to tie on. Without, you fit
        your own; the size we recommend is on each product page and in the{' '}
        <Link to="/size-guide">Size Guide</Link>.
      </p>
    ),
  },
  {
    question: 'Which lure do I need?',
    answer: (
      <p>
        A popper throws water and calls fish up from below; a stick bait casts far into wind and swims under
        the surface. Match the weight to your rod first, then the length to what the fish are eating. Not
        sure? Tell us where you fish.
      </p>
    ),
  },
  {
    question: 'A colour is sold out. Will it come back?',
    answer: (
      <p>
        We still make every colour on the site. Choose the sold-out colour on its{' '}
        <Link to="/products">product page</Link>, press “Tell me when it is back”, and we'll e-mail you once
        when you can buy it again.
      </p>
    ),
  },
  {
    question: 'How do I look after my lures?',
    answer: (
      <p>
        Rinse them in fresh water after fishing, let them dry out of the sun, and store them apart, so that
        hooks do not scratch paint. Change rusty hooks and split rings before they cost you a fish.
      </p>
    ),
  },
]

export function questionsFor(texts: ShippingTexts): Question[] {
  return questions.map((entry) => (typeof entry === 'function' ? entry(texts) : entry))
}
