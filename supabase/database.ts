/**
 * The types of the shop's tables, views and functions, and of the client for them. `database.types.ts` is generated from PostgreSQL's
 * catalogue; the overrides below add what the catalogue does not contain: JSON types and nullable function results.
 */

import type { SupabaseClient } from '@supabase/supabase-js'
import type { ProductPicture, Spec } from '#domain/catalogue.ts'
import type * as Shape from './database-json.ts'
import type { Database, Json } from './database.types.ts'

type Generated = Database['public']
type JsonObject = Record<string, unknown>
type StaffRole = Exclude<Generated['Tables']['user_roles']['Row']['role'], 'customer'>

/** Columns of selected rows. */
interface TableOverrides {
  order_events: { detail: JsonObject }
  payment_notices: { headers: Record<string, string> }
  products: { images: ProductPicture[]; specs: Spec[] }
}

interface ViewOverrides {
  history: {
    after: JsonObject | null
    before: JsonObject | null
    /** Null when the session has ended. */
    device: Shape.Device | null
    can_undo: boolean
  }
  /** `delivery` is null once the mail was deleted. */
  message_replies: { delivery: Generated['Tables']['mails']['Row']['status'] | null }
  open_payment_issues: { detail: JsonObject }
  payment_balances: { refund_way: Generated['Tables']['payment_refunds']['Row']['way'] }
  promo_code_results: { discounted: number; paid_orders: number; revenue: number }
  refunds: { detail: Shape.RefundDetail }
}

/** The whole result, or the columns of a result table that differ from the generated type. */
interface FunctionOverrides {
  count_attention: Shape.AttentionCounts
  export_client: JsonObject
  export_my_data: JsonObject
  find_former_address: { slug: string | null; colour: string | null }
  setup_steps: Shape.SetupSteps
  guess_courier: string | null
  import_catalogue: Shape.ImportRowReport[]
  list_low_stock: { image_url: string | null }
  list_staff: { role: StaffRole }
  marketing_consent: Shape.MarketingConsent
  my_last_change: number | null
  preview_cancellation: Shape.CancellationPreview
  preview_product_removal: Shape.ProductRemovalPreview
  quote_cart: Shape.CartQuote
  quote_staff_order: Shape.Quote
  returnable_items: { product_variant: string | null; with_hooks: boolean | null }
  total_revenue: Shape.RevenueTotals
  /** `province` is null for orders that were handed over in person. */
  sales_by_province: { province: string | null }
  second_factor_rule: Shape.SecondFactorRule
  set_marketing_consent: Shape.MarketingConsent
  set_order_statuses: Shape.BulkResult
  shop_terms: Shape.ShopTerms
  get_client: Shape.ClientOverview
  get_order: Shape.CustomerOrder
  /** `actor` is null for changes by the shop's own process, such as a sale. */
  stock_history: {
    reason: Generated['Tables']['stock_movements']['Row']['reason']
    note: string | null
    order_id: string | null
    order_number: number | null
    actor: string | null
  }
  suggest_products: { category: string | null; colour_slug: string | null; colour: string | null }
  test_promo_code: Shape.PromoCodeTest
  unsold_variants: { last_sold: string | null }
  validate_promo_code: {
    error_message: string | null
    discount_type: Generated['Tables']['promo_codes']['Row']['discount_type']
    min_order_amount: number | null
    usage_limit: number | null
    expires_at: string | null
  }
  email_buyers: Shape.BulkResult
}

type Merged<Row, Overrides> = {
  [Column in keyof Row]: Column extends keyof Overrides ? Overrides[Column] : Row[Column]
}

/** Makes slugs optional in inserts: a trigger derives them from the name. */
type WithOptionalSlugs<Things> = {
  [Name in keyof Things]: Name extends 'products' | 'product_variants'
    ? {
        [Part in keyof Things[Name]]: Part extends 'Insert'
          ? Omit<Things[Name][Part], 'slug'> & { slug?: string }
          : Things[Name][Part]
      }
    : Things[Name]
}

/** Lets JSON arguments accept any object: interfaces lack the index signature that `Json` requires. */
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

type OverriddenResult<Result, Override> = [Result] extends [(infer Row)[]]
  ? Merged<Row, Override>[]
  : Override

/** Resolves to `never` when an override names something that the database does not have, so that its uses fail to compile. */
type WithOverrides<Things, Overrides, Field extends string> = [
  Exclude<keyof Overrides, keyof Things>,
] extends [never]
  ? {
      [Name in keyof Things]: Name extends keyof Overrides
        ? {
            [Part in keyof Things[Name]]: Part extends Field
              ? Field extends 'Returns'
                ? OverriddenResult<Things[Name][Part], Overrides[Name]>
                : Merged<Things[Name][Part], Overrides[Name]>
              : Things[Name][Part]
          }
        : Things[Name]
    }
  : never

interface Public extends Omit<Generated, 'Tables' | 'Views' | 'Functions'> {
  Tables: WithOverrides<WithOptionalSlugs<Generated['Tables']>, TableOverrides, 'Row'>
  Views: WithOverrides<Generated['Views'], ViewOverrides, 'Row'>
  Functions: WithOverrides<WithObjects<Generated['Functions']>, FunctionOverrides, 'Returns'>
}

/** For `createClient`. */
export interface ShopDatabase extends Pick<Database, '__InternalSupabase'> {
  public: Public
}

export type ShopClient = SupabaseClient<ShopDatabase>

/** The client in the browser, without realtime and storage. */
export type BrowserClient = Pick<ShopClient, 'auth' | 'from' | 'functions' | 'rpc'>

/** A row of a table or view: `Tables<'orders'>`. */
export type Tables<Name extends keyof (Public['Tables'] & Public['Views'])> = (Public['Tables'] &
  Public['Views'])[Name]['Row']

/** The columns for an insert: `TablesInsert<'orders'>`. */
export type TablesInsert<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Insert']

/** The arguments of a function: `Args<'change_delivery'>`. */
export type Args<Name extends keyof Public['Functions']> = Public['Functions'][Name]['Args']

/** The result of a function: `Returns<'list_staff'>`. */
export type Returns<Name extends keyof Public['Functions']> = Public['Functions'][Name]['Returns']
