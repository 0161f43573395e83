export const mainNavigation = [
  { to: '/', label: 'HOME' },
  { to: '/products', label: 'PRODUCTS' },
  { to: '/about', label: 'ABOUT' },
  { to: '/gallery', label: 'GALLERY' },
] as const

export const stripNavigation = [
  { to: '/about', label: 'About Us' },
  { to: '/contact', label: 'Contact' },
  { to: '/faq', label: 'FAQ' },
] as const

export const footerNavigation = [
  {
    heading: 'Shop',
    links: [
      { to: '/products', label: 'Products' },
      { to: '/collections', label: 'Collections' },
      { to: '/size-guide', label: 'Size Guide' },
      { to: '/gallery', label: 'Gallery' },
    ],
  },
  {
    heading: 'Help',
    links: [
      { to: '/shipping-returns', label: 'Shipping & Returns' },
      { to: '/faq', label: 'FAQ' },
      { to: '/contact', label: 'Contact' },
      { to: '/about', label: 'About Us' },
    ],
  },
  {
    heading: 'Policies',
    links: [
      { to: '/terms-of-service', label: 'Terms of Service' },
      { to: '/privacy-policy', label: 'Privacy Policy' },
      { to: '/cookie-policy', label: 'Cookie Policy' },
    ],
  },
] as const
