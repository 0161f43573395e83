import { ShoppingBag } from 'lucide-react'
import { Link } from 'react-router'
import { useCart } from '#app/storefront/cart/cart.tsx'
import { LegalIdentity } from '#app/storefront/frame/footer.tsx'
import { Brand } from '#app/storefront/frame/brand.tsx'
import { PhoneLink } from '#app/storefront/frame/phone-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { Row, Stack, Text } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import styles from './checkout-frame.module.css'

const policies = [
  { to: '/shipping-returns', label: 'Shipping & Returns' },
  { to: '/terms-of-service', label: 'Terms of Service' },
  { to: '/privacy-policy', label: 'Privacy Policy' },
  { to: '/cookie-policy', label: 'Cookie Policy' },
] as const

/** Has no navigation, so that the buyer has one decision left to make. */
export function CheckoutHeader() {
  const { open } = useCart()
  return (
    <header data-surface="deep" data-shop-header>
      <Row contained plainLinks touch width={1200} gap={4} justify="between" wrap className={styles.bar}>
        <Brand />
        <Text size="s" numeric weight={600} className={styles.help}>
          Need help? <PhoneLink />
        </Text>
        <Button aria-haspopup="dialog" onClick={open}>
          <ShoppingBag size={20} aria-hidden />
          Back to cart
        </Button>
      </Row>
    </header>
  )
}

export function CheckoutFooter() {
  const { email, whatsapp } = shop.contact
  return (
    <footer data-surface="deep">
      <Stack contained width={1200} gap={3} block={5}>
        <Row plainLinks touch as="nav" columnGap={5} align="stretch" wrap size="s" aria-label="Help">
          <PhoneLink />
          <a href={`https://wa.me/${whatsapp}`}>WhatsApp</a>
          <a href={`mailto:${email}`}>{email}</a>
          <Link to="/contact">Contact</Link>
        </Row>
        <Row plainLinks touch as="nav" columnGap={5} align="stretch" wrap size="s" aria-label="Policies">
          {policies.map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </Row>
        <LegalIdentity />
      </Stack>
    </footer>
  )
}
