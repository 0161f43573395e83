import type { UseQueryResult } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { Grid, Row, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { useTheme } from '../frame/theme.ts'
import { QueryFailure } from '../list/resource-list.tsx'
import { useSound } from '../live/sound.ts'
import { AccessSection } from './access-section.tsx'
import { CouriersSection } from './couriers-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { useShopSettings, usePublicSettings, type ShopSettings } from './settings.ts'
import styles from './settings.module.css'
import { ShippingForm } from './shipping-form.tsx'
import { MailSection, PaymentsSection, ShopSection } from './environment-sections.tsx'

/** The shop's settings, and the read-only settings from the environment. */
export default function SettingsPage() {
  const settings = useShopSettings()
  const publicSettings = usePublicSettings()

  return (
    <Stack as="section" gap={5} className={styles.page} aria-label="Settings">
      <Row gap={3} justify="between" wrap>
        <h2>Settings</h2>
        <ButtonLink to="/admin/history">History</ButtonLink>
      </Row>
      <Block title="Shipping" query={settings}>
        {(row) => <ShippingForm key={shippingKey(row)} settings={row} />}
      </Block>
      <Titled title="Couriers">
        <CouriersSection />
      </Titled>
      <Block title="Sign-in" query={settings}>
        {(row) => <AccessSection settings={row} />}
      </Block>
      <Titled title="People">
        <PeopleSection />
      </Titled>
      <Titled title="This device">
        <DeviceSection />
      </Titled>
      <Block title="Payments" query={publicSettings}>
        {({ payfast }) => <PaymentsSection payfast={payfast} />}
      </Block>
      <Block title="Mail" query={publicSettings}>
        {({ mail }) => <MailSection mail={mail} />}
      </Block>
      <Block title="The shop" query={publicSettings}>
        {(row) => <ShopSection publicSettings={row} />}
      </Block>
      <p className={styles.hint}>
        Set low-stock thresholds in the <Link to="/admin/low-stock">low stock list</Link>.
      </p>
    </Stack>
  )
}

/** The form's key: it resets only when these columns change, so that other settings do not discard what was typed. */
function shippingKey({ shipping_rate, free_shipping_from, offers_locker }: ShopSettings): string {
  return [shipping_rate, free_shipping_from, offers_locker].join()
}

function DeviceSection() {
  const { theme, toggleTheme } = useTheme()
  const { isOn, setIsOn } = useSound()
  return (
    <div className={styles.block}>
      <Row touch as="span" gap={3}>
        <Switch label="Play a sound for new orders and messages" isOn={isOn} onSwitch={setIsOn} /> Play a
        sound for new orders and messages
      </Row>
      <Row touch as="span" gap={3}>
        <Switch label="Dark theme" isOn={theme === 'dark'} onSwitch={toggleTheme} /> Dark theme
      </Row>
      <p className={styles.hint}>Saved on this device only.</p>
    </div>
  )
}

interface BlockProps<Result> {
  title: string
  query: UseQueryResult<Result>
  children: (result: Result) => ReactNode
}

function Block<Result>({ title, query, children }: BlockProps<Result>) {
  return (
    <Titled title={title}>
      {query.data !== undefined && children(query.data)}
      {query.isPending && <Skeleton height={140} />}
      {query.isError && query.data === undefined && <QueryFailure what={title} query={query} />}
    </Titled>
  )
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Grid as="section" columns="minmax(0, 1fr)" gap={4} className={styles.section} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </Grid>
  )
}
