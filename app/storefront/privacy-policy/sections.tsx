import { Link } from 'react-router'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { shop } from '#shop'
import { EmailLink } from '../reading/email-link.tsx'
import { facts } from '../reading/facts.tsx'
import { ReadingSection, type ReadingSections } from '../reading/reading-page.tsx'
import { Table } from '../reading/table.tsx'

const { legal, name, shipping } = shop

/* oxlint-disable react/jsx-key -- `ReadingPage` sets the keys */
export const sections: ReadingSections = [
  <ReadingSection id="who-is-responsible" heading="Who is responsible">
    <p>
      {legal.name}, trading as {name}, {facts.address}, is the responsible party under the Protection of
      Personal Information Act 4 of 2013 (POPIA).
    </p>
    <p>
      Information Officer: {legal.informationOfficer}, <EmailLink />, <PhoneLink />.
    </p>
  </ReadingSection>,
  <ReadingSection id="what-we-collect" heading="What we collect, and why">
    <Table
      caption="Everything comes from you, except where the table says otherwise"
      columns={['When', 'What', 'Legal basis']}
      rows={[
        [
          'Account',
          'Name, e-mail, password (stored only as a hash)',
          'To give you the account you asked for',
        ],
        ['Signing in', 'When, from which network address and with which browser', 'To keep accounts safe'],
        ['Cart', 'What is in it, while you are signed in', 'To give you the account you asked for'],
        [
          'Order',
          'Name, e-mail, phone, address or locker, what you ordered, notes',
          'To carry out our agreement with you; tax law makes us keep the record',
        ],
        [
          'Payment',
          'From PayFast: that you paid, how much, when, and their reference. No card details',
          'To carry out our agreement with you; tax law makes us keep the record',
        ],
        ['Message', 'Name, e-mail, subject, what you wrote', 'To answer you'],
        [
          'Gallery',
          'Name, photos, description, e-mail if you give one',
          'Your consent. Name, photos and description are public once approved; your e-mail address never is. We delete photos that you upload but do not submit after a day',
        ],
        ['News', 'E-mail, your consent, its date and wording', 'Your consent'],
        ['Stock alert', 'E-mail, and the colour that you wait for', 'To send the e-mail you asked for'],
        ['Discount code', 'E-mail, and when you got the code', 'To give each person the code once'],
        [
          'Every visit',
          'Network address and the page asked for, in short-lived technical logs',
          'To keep the site safe and working',
        ],
      ]}
    />
    <p>
      Without name, contact and address we cannot send an order. Everything else is up to you. We use no
      advertising or tracking services and make no automated decisions about you.
    </p>
  </ReadingSection>,
  <ReadingSection id="who-receives-it" heading="Who else receives it">
    <Table
      caption="Each gets only what it needs and may use it for nothing else"
      columns={['Who', 'What', 'What for']}
      rows={[
        [
          'PayFast',
          'Name, e-mail, order number, amount. Your card details you give to them directly',
          'To take your payment',
        ],
        [
          shipping.courier,
          'Name, phone, e-mail, address or locker',
          'To deliver, and to send you the locker PIN',
        ],
        [
          'Hosting and e-mail providers',
          'What our site stores and sends',
          'To run the site and send our e-mails',
        ],
        ['Authorities', 'What the law requires us to hand over', 'When the law requires it'],
      ]}
    />
    <p>
      If one of them keeps data outside South Africa, we use only those whose country or contract protects it
      as POPIA section 72 requires.
    </p>
  </ReadingSection>,
  <ReadingSection id="how-long" heading="How long we keep it">
    <Table
      caption="After that we delete it, or remove everything that identifies you"
      rows={[
        ['Orders and payments', 'Five years, as the Tax Administration Act requires'],
        ['Account and cart', 'Until you close the account or ask us to, or have not used it for five years'],
        ['Sign-ins', 'One year; network addresses from which you signed in before, 180 days'],
        ['Messages', 'Three years, or until you ask us to delete them'],
        ['Gallery', 'Until you ask us to take it down; your e-mail address one year, your name five years'],
        ['News', 'Until you unsubscribe; then for five years a record of your choice, so that we respect it'],
        ['Stock alerts', '90 days after our e-mail or your cancellation; two years if we never sent one'],
        ['Discount code', 'Five years, or until you ask us to delete it'],
      ]}
    />
  </ReadingSection>,
  <ReadingSection id="marketing" heading="News and offers">
    <p>
      We send news only to people who asked for it: the box is never ticked for you. Every newsletter names us
      and has a link to unsubscribe at once, free of charge. E-mails about your orders come either way, and
      carry no advertising.
    </p>
  </ReadingSection>,
  <ReadingSection id="security" heading="How we protect it">
    <p>
      Passwords are stored only as hashes, each customer can reach only their own records, and in the shop
      only the owners, and whoever packs parcels for them, can see orders. Card payments happen on PayFast’s
      page, so there is no card data with us to lose.
    </p>
    <p>
      If someone gains access to your information anyway, we tell you and the Information Regulator as soon as
      we reasonably can, as POPIA section 22 requires.
    </p>
  </ReadingSection>,
  <ReadingSection id="your-rights" heading="Your rights">
    <p>Free of charge, and in whatever words you like, you may ask us to</p>
    <ul>
      <li>tell you what we know about you and who has received it,</li>
      <li>correct it, or delete what we no longer may keep,</li>
      <li>stop using it, where you object for a good reason,</li>
      <li>withdraw a consent (what we did before stays lawful).</li>
    </ul>
    <p>
      You can see, export, correct and delete your account data yourself under{' '}
      <Link to="/account/data">Data and privacy</Link>.
    </p>
    <p>
      For anything else write to <EmailLink />. We may ask you to prove who you are, and answer within 30
      days. Requests under the Promotion of Access to Information Act go to the same address.
    </p>
  </ReadingSection>,
  <ReadingSection id="children" heading="Children">
    <p>
      The shop is meant for adults. Under 18, please let a parent or guardian order; we do not knowingly keep
      children’s details, and a photo of a child needs their parent’s or guardian’s consent.
    </p>
  </ReadingSection>,
  <ReadingSection id="complaints" heading="Complaints">
    <p>
      Tell us first, so that we can put it right. You may also complain to the Information Regulator:{' '}
      <a href="https://inforegulator.org.za">inforegulator.org.za</a>,{' '}
      <a href="mailto:POPIAComplaints@inforegulator.org.za">POPIAComplaints@inforegulator.org.za</a>.
    </p>
  </ReadingSection>,
  <ReadingSection id="changes" heading="Changes">
    <p>
      When we change how we handle your information, we change this page and its date, and e-mail the
      customers it affects.
    </p>
  </ReadingSection>,
]
/* oxlint-enable react/jsx-key */
