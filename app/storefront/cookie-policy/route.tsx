import { Link } from 'react-router'
import { shop } from '#shop'
import { pageMeta } from '../page-meta.ts'
import { EmailLink } from '../reading/email-link.tsx'
import { ReadingPage, type Section } from '../reading/reading-page.tsx'
import { Table } from '../reading/table.tsx'
import type { Route } from './+types/route'

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta({
    title: 'Cookie Policy',
    description: `What ${shop.name} keeps in your browser, why, and how to get rid of it.`,
    path: '/cookie-policy',
    matches,
  })

export default function CookiePolicy() {
  return (
    <ReadingPage
      title="Cookie Policy"
      isPolicy
      opening={
        <p>
          No advertising, no tracking, nobody else’s scripts. We keep a few notes in your browser so that the
          shop works.
        </p>
      }
      sections={sections}
    />
  )
}

const sections: readonly Section[] = [
  {
    id: 'what',
    heading: 'Cookies and browser storage',
    body: (
      <p>
        A cookie is a note that a site leaves in your browser and gets back with every page. We use your
        browser’s own storage instead, which serves the same purpose but stays on your device until a page
        needs it. When we say cookies, we mean both.
      </p>
    ),
  },
  {
    id: 'necessary',
    heading: 'What the shop needs',
    body: (
      <Table
        caption="Kept without asking, because the shop does not work without it"
        columns={['What', 'What for', 'How long']}
        rows={[
          ['Sign-in', 'So that you stay signed in', 'Until you sign out'],
          ['Guest cart', 'What is in your cart while you are not signed in', 'Until you sign in or empty it'],
          [
            'Your cart as you last saw it',
            'To show it without a signal, while you are signed in',
            'Until you sign out',
          ],
          ['Prices you have seen', 'To tell you when one changes', 'Until you clear it'],
          [
            'Checkout form',
            'So that a reload or a cancelled payment costs you no typing',
            'Until you close the tab',
          ],
          ['Order attempt', 'So that pressing the button twice orders once', 'Until you close the tab'],
          ['Discount offer', 'So that you see it once a visit', 'Until you close the tab'],
          ['Your answer about cookies', 'So that we do not ask again', 'Until you clear it'],
        ]}
      />
    ),
  },
  {
    id: 'your-choice',
    heading: 'What you decide',
    body: (
      <p>
        If you accept cookies, we also remember the last page you looked at, to bring you back to it after you
        sign in; never the sign-in page or the checkout. If you decline, we do not. Everything else works the
        same.
      </p>
    ),
  },
  {
    id: 'payfast',
    heading: 'On the payment page',
    body: (
      <p>
        You pay on PayFast’s site, which sets cookies of its own under its own policy:{' '}
        <a href="https://payfast.io">payfast.io</a>.
      </p>
    ),
  },
  {
    id: 'changing-your-mind',
    heading: 'Changing your mind',
    body: (
      <p>
        Clear this site’s data in your browser’s settings, and everything above is gone: you are signed out, a
        guest cart is empty, and we ask about cookies again. Questions go to <EmailLink />; what we know of
        you beyond your browser is in the <Link to="/privacy-policy">Privacy Policy</Link>.
      </p>
    ),
  },
]
