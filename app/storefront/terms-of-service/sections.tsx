import { Link } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import type { ShippingTexts } from '../catalogue/shipping-terms.ts'
import { ReadingSection, type ReadingSections } from '../reading/reading-page.tsx'
import { TraderDetails } from '../reading/trader.tsx'

const { shipping, returns, orders } = shop

type Section = ReadingSections[number]

/* oxlint-disable react/jsx-key -- `ReadingPage` sets the keys */
const sections: readonly (Section | ((texts: ShippingTexts) => Section))[] = [
  <ReadingSection id="who-we-are" heading="Who we are">
    <p>
      These are the details that section 43 of the Electronic Communications and Transactions Act requires.
    </p>
    <TraderDetails />
    <p>We are not members of a trade association with its own code of conduct.</p>
  </ReadingSection>,
  <ReadingSection id="these-terms" heading="These terms">
    <p>
      They apply to every order placed on this site, in the version published here when you order. Print or
      save this page to keep them; we will also e-mail you a copy if you ask.
    </p>
    <p>
      Nothing in them takes away a right that the Consumer Protection Act, the Electronic Communications and
      Transactions Act or any other law gives you. Where they differ, the law applies.
    </p>
  </ReadingSection>,
  <ReadingSection id="lures" heading="Our lures">
    <p>
      Each product page gives length, weight, recommended hook and what is in stock. Every lure is shaped and
      painted by hand, so pattern and weight differ a little from one to the next, and a screen never shows
      paint quite as it is.
    </p>
    <p>
      Treble hooks are sharp. Handle them with pliers, wear glasses when you cast, and keep them away from
      children.
    </p>
  </ReadingSection>,
  ({ flatRate, freeFrom, offersLocker }) => (
    <ReadingSection id="prices" heading="Prices">
      <p>
        Prices are in South African rand. {facts.vat} Shipping is {flatRate},{' '}
        {offersLocker && 'to a locker or '}to your door, and free from {freeFrom}. There are no other costs:
        the total on the Place Order button is what you pay.
      </p>
      <p>
        If a price changes while a lure is in your cart, we tell you before you order. A promo code works once
        it is applied at checkout, under the conditions shown there, and cannot be exchanged for cash.
      </p>
    </ReadingSection>
  ),
  <ReadingSection id="ordering" heading="Placing an order">
    <p>
      You need an account to check out. Before you order, the checkout shows your lures, delivery details,
      shipping and total. You can correct any of it, or leave, up to the moment you press Place Order.
    </p>
    <p>
      From then on we reserve your lures for {orders.reservationMinutes} minutes while you pay. An order that
      is not paid within {orders.unpaidExpireHours} hours expires, and you owe nothing. We have an agreement
      once your payment is confirmed; a confirmation by e-mail is your record of it.
    </p>
    <p>Keep that e-mail. We keep the record too, and will send you a copy for five years after the order.</p>
  </ReadingSection>,
  <ReadingSection id="payment" heading="Payment">
    <p>
      You pay through PayFast, a South African payment provider, on their secure page. Your card details go to
      PayFast alone: they never pass through our site, and we cannot see or store them.
    </p>
    <p>We start on an order when PayFast has confirmed to us that the full amount is paid.</p>
  </ReadingSection>,
  <ReadingSection id="changes" heading="Changing or cancelling">
    <p>
      You may change or cancel an order within {orders.changeableHours} hours of placing it. Phone{' '}
      <PhoneLink /> or write to <EmailLink /> with your order number. If you have paid, the full amount goes
      back the way it came. After that, or once the parcel is with the courier, your{' '}
      <Link to="/shipping-returns#returns">rights to return</Link> apply.
    </p>
  </ReadingSection>,
  ({ offersLocker }) => (
    <ReadingSection id="delivery" heading="Delivery">
      <p>
        We pack in {facts.processing} and send with {shipping.courier}, within South Africa. Delivery takes
        another {facts.delivery}. {facts.madeToOrder} The parcel is at our risk until it is in your hands
        {offersLocker && ' or you have collected it from the locker'}.
      </p>
      <p>
        We deliver within 30 days. If we cannot, because a lure turns out not to be available, we tell you at
        once and refund you within {returns.refundWithinDays} days.
      </p>
    </ReadingSection>
  ),
  <ReadingSection id="cooling-off" heading={`Your ${returns.coolingOffDays}-day right to cancel`}>
    <p>
      Under section 44 of the Electronic Communications and Transactions Act you may cancel within{' '}
      {returns.coolingOffDays} days after you receive your lures, without a reason and without a penalty. Tell
      us in any way you like. You pay for sending them back and nothing else; we refund everything you paid,
      shipping included, within {returns.refundWithinDays} days of your cancellation.
    </p>
    <p>
      This right does not cover goods made to your own specification, such as a colour we mix for you. Our
      standard colours never count as that, even when we make the lure after you have ordered.
    </p>
  </ReadingSection>,
  <ReadingSection id="returns" heading="Returns and defects">
    <p>
      Beyond that, we take back unused lures for {returns.policyDays} days. And under sections 55 and 56 of
      the Consumer Protection Act, a lure that turns out defective within {returns.defectMonths} months of
      delivery is repaired, replaced or refunded, as you choose, at our cost and risk.
    </p>
    <p>
      How it works is on <Link to="/shipping-returns#returns">Shipping &amp; Returns</Link>, which is part of
      these terms.
    </p>
  </ReadingSection>,
  <ReadingSection id="account" heading="Your account">
    <p>
      Give us details that are true, keep your password to yourself, and tell us if you think someone else is
      using your account. You can ask us to close it at any time.
    </p>
  </ReadingSection>,
  <ReadingSection id="your-photos" heading="Photos and words you send us">
    <p>
      Your catch photos stay yours. By submitting them to the gallery you confirm that you may share them and
      allow us to show them on this site with the name you gave. We look at each before it is published, and
      take it down when you ask.
    </p>
  </ReadingSection>,
  <ReadingSection id="our-work" heading="Our pictures and designs">
    <p>
      The pictures, texts and lure designs on this site are ours. Share them with a link; ask us first before
      you use them to sell something.
    </p>
  </ReadingSection>,
  <ReadingSection id="liability" heading="If something goes wrong">
    <p>
      We are liable for our lures as the Consumer Protection Act provides, including section 61 on harm caused
      by unsafe goods. As far as the law allows, we are not liable for what we could not prevent, such as a
      lure that is lost to a snag or used for something it was not made for.
    </p>
  </ReadingSection>,
  <ReadingSection id="disputes" heading="Complaints and law">
    <p>
      Talk to us first: <EmailLink /> or <PhoneLink />. If we cannot settle it, the Consumer Goods and
      Services Ombud hears complaints about goods free of charge (
      <a href="https://www.cgso.org.za">cgso.org.za</a>), and the National Consumer Commission and the courts
      are open to you.
    </p>
    <p>South African law applies.</p>
  </ReadingSection>,
]
/* oxlint-enable react/jsx-key */

export function termsSections(texts: ShippingTexts): ReadingSections {
  return sections.map((entry) => (typeof entry === 'function' ? entry(texts) : entry))
}
