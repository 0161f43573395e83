import { darkColour } from '#domain/brand.ts'
import { shop } from '#shop'
import icon192 from '../../../assets/logo/icon-192.png?url&no-inline'
import icon512 from '../../../assets/logo/icon-512.png?url&no-inline'
import iconMaskable from '../../../assets/logo/icon-maskable-512.png?url&no-inline'

/** The web app manifest, for adding the shop to a home screen. */
export function loader() {
  const manifest = {
    id: '/',
    name: `${shop.name} – ${shop.headline}`,
    short_name: shop.name,
    description: shop.description,
    lang: shop.locale,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: darkColour.page,
    theme_color: darkColour.page,
    categories: ['shopping', 'sports'],
    icons: [png(icon192, 192), png(icon512, 512), { ...png(iconMaskable, 512), purpose: 'maskable' }],
    shortcuts: [{ name: 'Products', url: '/products' }],
  }
  return new Response(JSON.stringify(manifest), {
    headers: { 'Content-Type': 'application/manifest+json; charset=utf-8' },
  })
}

function png(src: string, width: number) {
  return { src, sizes: `${width}x${width}`, type: 'image/png' }
}
