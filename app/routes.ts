import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'

/** The table of contents: which address is answered by which folder. */
export default [
  layout('storefront/layout.tsx', [
    index('storefront/home/route.tsx'),
    route('products', 'storefront/products/route.tsx'),
    route('products/:slug/:colour?', 'storefront/product/route.tsx'),
    route('*', 'storefront/not-found/route.tsx'),
  ]),
] satisfies RouteConfig
