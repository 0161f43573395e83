/** What the pages of the storefront load for customers only. */
export { leftOutToast, RemoteCart } from './remote-cart.ts'
export { loadOwnReservations } from '../purchase/own-reservations.ts'
