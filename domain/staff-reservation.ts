/** How many days an unpaid order that staff create reserves its lures. The database has it in `private.staff_reservation()`. */
export const STAFF_RESERVATION_DAYS = 7
