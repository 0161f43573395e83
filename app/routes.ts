import { index, layout, route, type RouteConfig, type RouteConfigEntry } from '@react-router/dev/routes'
import { ADMIN_PAGES, type AdminPage } from './admin/pages.ts'

export default [
  layout('storefront/layout.tsx', [
    index('storefront/home/route.tsx'),
    route('collections', 'storefront/collections/route.tsx'),
    route('products', 'storefront/products/route.tsx'),
    route('products/:slug/:colour?', 'storefront/product/route.tsx'),
    route('gallery', 'storefront/gallery/route.tsx'),
    route('about', 'storefront/about/route.tsx'),
    route('contact', 'storefront/contact/route.tsx'),
    route('faq', 'storefront/faq/route.tsx'),
    route('size-guide', 'storefront/size-guide/route.tsx'),
    route('shipping-returns', 'storefront/shipping-returns/route.tsx'),
    route('terms-of-service', 'storefront/terms-of-service/route.tsx'),
    route('privacy-policy', 'storefront/privacy-policy/route.tsx'),
    route('cookie-policy', 'storefront/cookie-policy/route.tsx'),
    route('auth', 'storefront/auth/route.tsx'),
    route('auth/forgot-password', 'storefront/forgot-password/route.tsx'),
    route('auth/new-password', 'storefront/new-password/route.tsx'),
    route('auth/link', 'storefront/mail-link/route.tsx'),
    route('auth/confirmed', 'storefront/confirmed/route.tsx'),
    route('checkout', 'storefront/checkout/route.tsx'),
    route('payment-success', 'storefront/payment-success/route.tsx'),
    route('payment-cancelled', 'storefront/payment-cancelled/route.tsx'),
    route('account', 'account/layout.tsx', [
      index('account/orders/route.tsx'),
      route('orders/:orderId', 'account/order/route.tsx'),
      route('details', 'account/details/route.tsx'),
      route('security', 'account/security/route.tsx'),
      route('data', 'account/data/route.tsx'),
    ]),
    route('*', 'storefront/not-found/route.tsx'),
  ]),
  route('offline', 'offline/route.tsx'),
  route('sitemap.xml', 'storefront/search-engines/sitemap.route.ts'),
  route('robots.txt', 'storefront/search-engines/robots.route.ts'),
  route('manifest.webmanifest', 'storefront/search-engines/manifest.route.ts'),
  route('admin', 'admin/layout.tsx', [
    layout('admin/frame/layout.tsx', ADMIN_PAGES.filter(({ isBare }) => !isBare).map(adminRoute)),
    ...ADMIN_PAGES.filter(({ isBare }) => isBare).map(adminRoute),
  ]),
] satisfies RouteConfig

function adminRoute({
  path,
  file,
  children = [],
}: Pick<AdminPage, 'path' | 'file' | 'children'>): RouteConfigEntry {
  return path === '' ? index(`admin/${file}`) : route(path, `admin/${file}`, children.map(adminRoute))
}
