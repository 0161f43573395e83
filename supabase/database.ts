/**
 * The types of the shop's tables, views and functions, and the client that knows them. `database.types.ts` has what the catalogue
 * says; the lists below add what it cannot know: the shapes of JSON, and which results of functions may be null.
 */

import type { SupabaseClient } from '@supabase/supabase-js'
import type { LurePicture, Spec } from '#domain/catalogue.ts'
import type * as Shape from './database-json.ts'
import type { Database, Json } from './database.types.ts'

type Generated = Database['public']
type JsonObject = Record<string, unknown>
type StaffRole = Exclude<Generated['Tables']['user_roles']['Row']['role'], 'customer'>

/** Columns, in rows that are read. */
interface KnownTables {
  order_events: { detail: JsonObject }
  payment_notices: { headers: Record<string, string> }
  products: { images: LurePicture[]; specs: Spec[] }
}

interface KnownViews {
  history: {
    after: JsonObject | null
    before: JsonObject | null
    /** While the session lives. */
    device: Shape.Device | null
    can_undo: boolean
  }
  /** `delivery` is null once the mail itself was forgotten. */
  message_replies: { delivery: Generated['Tables']['mails']['Row']['status'] | null }
  open_payment_issues: { detail: JsonObject }
  payment_balances: { refund_way: Generated['Tables']['payment_refunds']['Row']['way'] }
  promo_code_results: { discounted: number; paid_orders: number; revenue: number }
  refunds: { detail: Shape.RefundDetail }
}

/** Results: the whole one, or the columns of a table that are not as the catalogue has them. */
interface KnownFunctions {
  count_attention: Shape.WaitingWork
  export_client: JsonObject
  export_my_data: JsonObject
  find_former_address: { slug: string | null; colour: string | null }
  setup_steps: Shape.FirstSteps
  guess_courier: string | null
  import_catalogue: Shape.RowReport[]
  list_low_stock: { image_url: string | null }
  list_staff: { role: StaffRole }
  marketing_consent: Shape.MarketingConsent
  my_last_change: number | null
  preview_cancellation: Shape.Cancellation
  quote_cart: Shape.CartQuote
  quote_staff_order: Shape.Quote
  returnable_items: { product_variant: string | null; with_hooks: boolean | null }
  total_revenue: Shape.RevenueInAll
  /** `province` is null for orders that were handed over in person. */
  sales_by_province: { province: string | null }
  second_factor_rule: Shape.SecondFactorRule
  set_marketing_consent: Shape.MarketingConsent
  set_order_statuses: Shape.ManyOutcome
  shop_terms: Shape.ShopTerms
  get_client: Shape.WholeClient
  get_order: Shape.OwnOrder
  /** `actor` is null for the shop itself: when it was filled, or a buyer paid. */
  stock_history: {
    reason: Generated['Tables']['stock_movements']['Row']['reason']
    note: string | null
    order_id: string | null
    order_number: number | null
    actor: string | null
  }
  suggest_products: { category: string | null; colour_slug: string | null; colour: string | null }
  test_promo_code: Shape.PromoTrial
  unsold_variants: { last_sold: string | null }
  validate_promo_code: {
    error_message: string | null
    discount_type: Generated['Tables']['promo_codes']['Row']['discount_type']
    min_order_amount: number | null
    usage_limit: number | null
    expires_at: string | null
  }
  email_buyers: Shape.ManyOutcome
}

/** `Row` with the columns of `Known` in place of its own. */
type Merged<Row, Known> = { [Column in keyof Row]: Column extends keyof Known ? Known[Column] : Row[Column] }

/** A trigger makes the slug of a product and of a colour from its name. */
type WithSlugs<Things> = {
  [Name in keyof Things]: Name extends 'products' | 'product_variants'
    ? {
        [Part in keyof Things[Name]]: Part extends 'Insert'
          ? Omit<Things[Name][Part], 'slug'> & { slug?: string }
          : Things[Name][Part]
      }
    : Things[Name]
}

/** JSON arguments take any object: an interface has no index signature, which `Json` asks for. */
type WithObjects<Functions> = {
  [Name in keyof Functions]: {
    [Part in keyof Functions[Name]]: Part extends 'Args'
      ? {
          [Argument in keyof Functions[Name][Part]]: Json extends Functions[Name][Part][Argument]
            ? Functions[Name][Part][Argument] | object
            : Functions[Name][Part][Argument]
        }
      : Functions[Name][Part]
  }
}

type KnownResult<Result, Known> = [Result] extends [(infer Row)[]] ? Merged<Row, Known>[] : Known

/** `never`, which nothing fits, when a list names what the catalogue does not have. */
type WithKnown<Things, Known, Field extends string> = [Exclude<keyof Known, keyof Things>] extends [never]
  ? {
      [Name in keyof Things]: Name extends keyof Known
        ? {
            [Part in keyof Things[Name]]: Part extends Field
              ? Field extends 'Returns'
                ? KnownResult<Things[Name][Part], Known[Name]>
                : Merged<Things[Name][Part], Known[Name]>
              : Things[Name][Part]
          }
        : Things[Name]
    }
  : never

interface Public extends Omit<Generated, 'Tables' | 'Views' | 'Functions'> {
  Tables: WithKnown<WithSlugs<Generated['Tables']>, KnownTables, 'Row'>
  Views: WithKnown<Generated['Views'], KnownViews, 'Row'>
  Functions: WithKnown<WithObjects<Generated['Functions']>, KnownFunctions, 'Returns'>
}

/** For `createClient`. */
export interface ShopDatabase extends Pick<Database, '__InternalSupabase'> {
  public: Public
}

export type ShopClient = SupabaseClient<ShopDatabase>

/** A row of a table or view: `Tables<'orders'>`. */
export type Tables<Name extends keyof (Public['Tables'] & Public['Views'])> = (Public['Tables'] &
  Public['Views'])[Name]['Row']

/** What an insert of one row can say. */
export type TablesInsert<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Insert']

/** What a function returns: `Returns<'list_staff'>`. */
export type Returns<Name extends keyof Public['Functions']> = Public['Functions'][Name]['Returns']
