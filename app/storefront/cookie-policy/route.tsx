import { Link } from 'react-router'
import { shop } from '#shop'
import { listed } from '../page-meta.ts'
import { EmailLink } from '../reading/email-link.tsx'
import { ReadingPage, ReadingSection, type ReadingSections } from '../reading/reading-page.tsx'
import { Table } from '../reading/table.tsx'

export const meta = listed({
  title: 'Cookie Policy',
  description: `What ${shop.name} stores in your browser, why, and how to delete it.`,
  path: '/cookie-policy',
})

export default function CookiePolicy() {
  return (
    <ReadingPage
      title="Cookie Policy"
      isPolicy
      opening={
        <p>
          No advertising, no tracking, no third-party scripts. We store a few things in your browser so that
          the shop works.
        </p>
      }
      sections={sections}
    />
  )
}

/* oxlint-disable react/jsx-key -- `ReadingPage` sets the keys */
const sections: ReadingSections = [
  <ReadingSection id="what" heading="Cookies and browser storage">
    <p>
      A cookie is a small text that a site stores in your browser and gets back with every page. We use your
      browser’s own storage instead, which serves the same purpose but stays on your device until a page needs
      it. When we say cookies, we mean both.
    </p>
  </ReadingSection>,
  <ReadingSection id="necessary" heading="Necessary storage">
    <Table
      caption="Stored without asking, because the shop does not work without it"
      columns={['What', 'What for', 'How long']}
      rows={[
        ['Sign-in', 'So that you stay signed in', 'Until you sign out'],
        ['Guest cart', 'What is in your cart while you are not signed in', 'Until you sign in or empty it'],
        ['Your cart as you last saw it', 'To show it offline while you are signed in', 'Until you sign out'],
        [
          'Pages you have opened, up to 60, with their pictures',
          'To show and list them without a signal; never your account or the checkout',
          'Until the shop has a new version; pictures until you clear them',
        ],
        ['Prices you have seen', 'To tell you when one changes', 'Until you clear it'],
        [
          'Checkout form',
          'So that you don’t have to type again after a reload or a cancelled payment',
          'Until you close the tab',
        ],
        ['Order attempt', 'So that pressing the button twice orders once', 'Until you close the tab'],
        ['Photo upload', 'To go on after the connection was lost', 'Until you close the tab'],
        ['Discount offer', 'So that you see it once a visit', 'Until you close the tab'],
        ['Your answer about cookies', 'So that we do not ask again', 'Until you clear it'],
      ]}
    />
  </ReadingSection>,
  <ReadingSection id="your-choice" heading="Your choice">
    <p>
      If you accept cookies, we also remember the last page you looked at, to bring you back to it after you
      sign in; never the sign-in page or the checkout. If you decline, we do not. Everything else works the
      same.
    </p>
  </ReadingSection>,
  <ReadingSection id="payfast" heading="On the payment page">
    <p>
      You pay on PayFast’s site, which sets cookies of its own under its own policy:{' '}
      <a href="https://payfast.io">payfast.io</a>.
    </p>
  </ReadingSection>,
  <ReadingSection id="changing-your-mind" heading="Changing your mind">
    <p>
      Clear this site’s data in your browser’s settings, and everything above is gone: you are signed out, a
      guest cart is empty, and we ask about cookies again. Questions go to <EmailLink />. Our{' '}
      <Link to="/privacy-policy">Privacy Policy</Link> covers everything outside your browser.
    </p>
  </ReadingSection>,
]
/* oxlint-enable react/jsx-key */
