import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { Hint, Section } from '#app/ui/layout.tsx'
import { LabelledSwitch } from '#app/ui/switch.tsx'
import { useTheme } from '../frame/theme.ts'
import { Loaded } from '../list/resource-list.tsx'
import { useSound } from '../live/sound.ts'
import { AccessSection } from './access-section.tsx'
import { CouriersSection } from './couriers-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { useShopSettings, usePublicSettings } from './settings.ts'
import styles from './settings.module.css'
import { ShippingForm } from './shipping-form.tsx'
import { MailSection, PaymentsSection, ShopSection } from './environment-sections.tsx'

/** The shop's settings, and the read-only settings from the environment. */
export default function SettingsPage() {
  const settings = useShopSettings()
  const publicSettings = usePublicSettings()

  return (
    <Section title="Settings" level="h2" gap={5} narrow action={HISTORY}>
      <Block title="Shipping" query={settings}>
        {(row) => <ShippingForm settings={row} />}
      </Block>
      <SettingsSection title="Couriers">
        <CouriersSection />
      </SettingsSection>
      <Block title="Sign-in" query={settings}>
        {(row) => <AccessSection settings={row} />}
      </Block>
      <SettingsSection title="People">
        <PeopleSection />
      </SettingsSection>
      <SettingsSection title="This device">
        <DeviceSection />
      </SettingsSection>
      <Block title="Payments" query={publicSettings}>
        {({ payfast }) => <PaymentsSection payfast={payfast} />}
      </Block>
      <Block title="Mail" query={publicSettings}>
        {({ mail }) => <MailSection mail={mail} />}
      </Block>
      <Block title="The shop" query={publicSettings}>
        {(row) => <ShopSection publicSettings={row} />}
      </Block>
      <Hint>
        Set low-stock thresholds in the <Link to="/admin/low-stock">low stock list</Link>.
      </Hint>
    </Section>
  )
}

const HISTORY = <ButtonLink to="/admin/history">History</ButtonLink>

function DeviceSection() {
  const { theme, toggleTheme } = useTheme()
  const { isOn, setIsOn } = useSound()
  return (
    <>
      <LabelledSwitch label="Play a sound for new orders and messages" isOn={isOn} onSwitch={setIsOn} />
      <LabelledSwitch label="Dark theme" isOn={theme === 'dark'} onSwitch={toggleTheme} />
      <Hint>Saved on this device only.</Hint>
    </>
  )
}

interface BlockProps<Result> {
  title: string
  query: UseQueryResult<Result>
  children: (result: Result) => ReactNode
}

function Block<Result>({ title, query, children }: BlockProps<Result>) {
  return (
    <SettingsSection title={title}>
      <Loaded what={title} query={query} height={140}>
        {children}
      </Loaded>
    </SettingsSection>
  )
}

function SettingsSection(props: ComponentProps<typeof Section>) {
  return <Section gap={4} divided="section" className={styles.section} {...props} />
}
