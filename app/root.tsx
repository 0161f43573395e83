import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useRouteLoaderData,
} from 'react-router'
import { SessionProvider } from '#app/data/session.tsx'
import { pageContext } from '#server/context.ts'
import { darkColour } from '#domain/brand.ts'
import { shop } from '#shop'
import displayFont from '../assets/fonts/display.woff2?url'
import textFont from '../assets/fonts/text.woff2?url'
import touchIcon from '../assets/logo/apple-touch-icon.png?url&no-inline'
import favicon from '../assets/logo/favicon.svg?url&no-inline'
import type { Route } from './+types/root'
import { EarlyTaps, EarlyScript } from './early-taps/early-taps.tsx'
import { WorksOffline } from './offline/works-offline.tsx'
import { loadShippingTerms } from './storefront/catalogue/shipping-terms.server.ts'
import { SiteWarning, siteWarningOf } from './ui/site-warning.tsx'
import { ErrorFallback } from './ui/error-fallback.tsx'
import { Toaster } from './ui/toaster.tsx'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: favicon, type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: touchIcon },
  { rel: 'manifest', href: '/manifest.webmanifest' },
  ...[displayFont, textFont].map((href) => ({
    rel: 'preload' as const,
    href,
    as: 'font' as const,
    type: 'font/woff2',
    crossOrigin: 'anonymous' as const,
  })),
]

/** Returns data for every page. It is cached, so it must not depend on the visitor. */
export async function loader({ context }: Route.LoaderArgs) {
  const settings = context.get(pageContext)
  const { publishableKey, publicUrl, isSimulated, hasMailbox } = settings
  const terms = await loadShippingTerms(context)
  return { publishableKey, publicUrl, isSimulated, hasMailbox, terms, warning: siteWarningOf(settings) }
}

/** The data is the same on every page, so navigation does not reload it; an explicit revalidation does. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) =>
  currentUrl.href === nextUrl.href

export function Layout({ children }: { children: React.ReactNode }) {
  const data = useRouteLoaderData<typeof loader>('root')
  return (
    // The early script sets attributes on it before React hydrates.
    <html lang={shop.locale} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content={darkColour.page} />
        <meta name="format-detection" content="telephone=no" />
        <EarlyScript />
        <Meta />
        <Links />
      </head>
      <body>
        {data?.warning && <SiteWarning {...data.warning} />}
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function App({ loaderData: { publishableKey } }: Route.ComponentProps) {
  return (
    <Toaster>
      <SessionProvider publishableKey={publishableKey}>
        <Outlet />
        <EarlyTaps />
        <WorksOffline />
      </SessionProvider>
    </Toaster>
  )
}

/** Shown when not even the storefront's frame can be rendered. */
export function ErrorBoundary() {
  return <ErrorFallback />
}
