import { Link } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import type { ShippingTexts } from '../catalogue/shipping-terms.ts'
import { ReadingSection, type ReadingSections } from '../reading/reading-page.tsx'
import { Table } from '../reading/table.tsx'

const { shipping, returns, orders } = shop

type Section = ReadingSections[number]

/* oxlint-disable react/jsx-key -- `ReadingPage` sets the keys */
const sections: readonly (Section | ((texts: ShippingTexts) => Section))[] = [
  ({ flatRate, freeFrom, offersLocker }) => (
    <ReadingSection id="shipping" heading="What it costs, and how long it takes">
      <Table
        caption={`Within South Africa, with ${shipping.courier}`}
        columns={['To', 'Cost', `From ${freeFrom}`, 'Packed in', 'Then delivered in']}
        rows={[...(offersLocker ? ['A locker'] : []), 'Your door'].map((place) => [
          place,
          flatRate,
          'Free',
          facts.processing,
          facts.delivery,
        ])}
      />
      <p>
        What counts for free shipping is the value of your lures before any discount. Business days are Monday
        to Friday without public holidays. {facts.madeToOrder}
      </p>
    </ReadingSection>
  ),
  ({ offersLocker }) => (
    <ReadingSection id="locker-or-door" heading={offersLocker ? 'Locker or door' : 'Delivery to your door'}>
      {offersLocker && (
        <p>
          For a locker, tell us at checkout which one is nearest. You get a PIN by SMS when the parcel
          arrives, so give us a cell number, and collect it soon: the locker keeps it only for a short while,
          then it goes to a depot.
        </p>
      )}
      <p>
        For your door, we need a street address where someone can sign during the day. Couriers cannot deliver
        to a PO Box or Private Bag.
      </p>
    </ReadingSection>
  ),
  <ReadingSection id="tracking" heading="Tracking your parcel">
    <p>
      When it leaves us you get an e-mail with the courier and the tracking number. If it is late, damaged or
      lost, tell us and not the courier: it is at our risk until you have it, and we send it again or refund
      you.
    </p>
  </ReadingSection>,
  <ReadingSection id="changes" heading="Changing or cancelling an order">
    <p>
      You may change or cancel within {orders.changeableHours} hours of ordering, as long as the parcel is not
      with the courier yet. Phone <PhoneLink /> or write to <EmailLink /> with your order number.
    </p>
  </ReadingSection>,
  <ReadingSection id="returns" heading="Your rights to return">
    <Table
      caption="You can use whichever suits you best"
      columns={['Right', 'How long', 'Return cost', 'You get']}
      rows={[
        [
          'You changed your mind',
          `${returns.coolingOffDays} days after you receive it (ECT Act, section 44)`,
          'Yours',
          'Everything you paid, shipping included',
        ],
        [
          'Our own promise',
          `${returns.policyDays} days after you receive it; unused, in its box`,
          'Yours',
          'The price of the lure, or an exchange',
        ],
        [
          'It is defective',
          `${returns.defectMonths} months after delivery (Consumer Protection Act, sections 55 and 56)`,
          'Ours',
          'Repair, replacement or refund: you choose',
        ],
        [
          'We sent the wrong one',
          `${returns.policyDays} days at least`,
          'Ours',
          'The right one, or everything back',
        ],
      ]}
    />
    <p>
      Tooth marks, rock rash and a lost lure are fishing, not a defect. Paint that lifts, wire that pulls or a
      lure that does not swim is ours to put right.
    </p>
    <p>
      Lures painted to your own specification cannot come back because you changed your mind. If they are
      defective, they can.
    </p>
  </ReadingSection>,
  <ReadingSection id="how-to-return" heading="How to return a lure">
    <ol>
      <li>
        Write to <EmailLink /> or use the <Link to="/contact">contact form</Link>: your order number, which
        lure, and what is wrong, with a photo if it is defective.
      </li>
      <li>We answer with the address, and a collection at our cost where it is ours to pay.</li>
      <li>
        Pack it so that the hooks cannot come through. If you pay for the return, choose a service with
        tracking.
      </li>
    </ol>
  </ReadingSection>,
  <ReadingSection id="refunds" heading="When you get your money back">
    <p>
      We refund you as soon as we have received and checked the lure, and within {returns.refundWithinDays}{' '}
      days of your cancellation at the latest, the way you paid. Your bank may take a few more days to show
      it.
    </p>
  </ReadingSection>,
]
/* oxlint-enable react/jsx-key */

export function shippingReturnsSections(texts: ShippingTexts): ReadingSections {
  return sections.map((entry) => (typeof entry === 'function' ? entry(texts) : entry))
}
