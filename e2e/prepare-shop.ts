import { prepareShop } from '#test/running-shop.ts'

/** Playwright calls it before the first journey, and what it returns after the last one. */
// oxlint-disable-next-line import/no-default-export -- Playwright reads the default export
export default prepareShop
