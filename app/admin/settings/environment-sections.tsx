import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { DescriptionList, Fact, Hint, Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './settings.module.css'
import type { PublicSettings } from '#domain/function-results.ts'
import { useTest } from './settings.ts'

const MODES = {
  simulator: 'Simulated: no money moves',
  sandbox: 'PayFast’s sandbox: no money moves',
  live: 'Live: real money',
}

/** PayFast's settings and a connection test. */
export function PaymentsSection({ payfast }: { payfast: PublicSettings['payfast'] }) {
  const test = useTest('test-payfast', 'PayFast test finished')

  return (
    <>
      <Facts
        facts={[
          ['PayFast', MODES[payfast.mode]],
          ['Merchant', payfast.merchantId],
          ['Passphrase', payfast.hasPassphrase ? 'Set' : 'Not set'],
        ]}
      />
      <Button disabled={test.isPending} onClick={() => test.mutate()}>
        Test now
      </Button>
      <Stack as="ul" gap={2} className={styles.rows} aria-label="Test results">
        {test.data?.checks.map(({ asked, isFine, answer }) => (
          <li key={asked}>
            {isFine ? (
              <CircleCheck size={18} color="var(--success)" aria-hidden />
            ) : (
              <CircleAlert size={18} color="var(--danger)" aria-hidden />
            )}
            <span>
              <strong>{asked}:</strong> {answer}
            </span>
          </li>
        ))}
      </Stack>
      <HowToChange names="PAYFAST_MODE, PAYFAST_MERCHANT_ID, PAYFAST_MERCHANT_KEY, PAYFAST_PASSPHRASE" />
    </>
  )
}

/** The mail settings and a test e-mail. */
export function MailSection({ mail }: { mail: PublicSettings['mail'] }) {
  const test = useTest('send-test-mail', 'Test e-mail sent')
  const fallback = mail.hasMailbox
    ? 'None: e-mails are stored at /dev/mail'
    : 'None: e-mails wait until one is set'

  return (
    <>
      <Facts
        facts={[
          ['Mail server', mail.server ?? fallback],
          ['From', mail.from],
          ['Shop e-mails go to', mail.shopEmail],
        ]}
      />
      <Button disabled={test.isPending} onClick={() => test.mutate()}>
        Send me a test e-mail
      </Button>
      <Hint role="status" breakWords className={styles.hint}>
        {test.data &&
          (test.data.by === 'server'
            ? `The mail server accepted an e-mail to ${test.data.to}.`
            : `An e-mail to ${test.data.to} is stored at /dev/mail.`)}
      </Hint>
      <HowToChange names="SMTP_URL, MAIL_FROM, SHOP_EMAIL" />
    </>
  )
}

/** Settings from the environment and from shop.config.ts. */
export function ShopSection({ publicSettings }: { publicSettings: PublicSettings }) {
  const { legal, contact } = shop
  return (
    <>
      <Facts
        facts={[
          ['Name', shop.name],
          ['Trader', legal.name],
          ['Phone', contact.phone],
          ['E-mail', contact.email],
          ['Address', `${contact.address.street}, ${contact.address.city}, ${contact.address.province}`],
          ['VAT number', legal.vatNumber ?? 'None: not registered'],
          ['Web address', publicSettings.publicUrl],
          ['Database', publicSettings.database],
        ]}
      />
      <Hint breakWords>
        Name, address and texts are set in <code>shop.config.ts</code>, because pages, e-mails and search
        engines use them. Restart to apply a change.
      </Hint>
    </>
  )
}

function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <DescriptionList gap={2} className={styles.facts}>
      {facts.map(([name, value]) => (
        <Fact key={name} term={name}>
          {value}
        </Fact>
      ))}
    </DescriptionList>
  )
}

function HowToChange({ names }: { names: string }) {
  return (
    <Hint breakWords>
      Set in the environment; restart to apply: <code>{names}</code>. Passwords and keys are never shown here.
    </Hint>
  )
}
