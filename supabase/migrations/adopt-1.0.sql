-- Takes a database of the last version before 1.0 to the names of 1.0. It runs once, instead of the versioned files; the
-- runner then replaces all functions, views, triggers, policies and grants. No data is lost.

-- The history stores rows as JSON by column name. Undoing a change writes these names back, so they follow the columns.
alter table public.changes disable trigger user;
update public.changes set
  before = before - 'low_stock_at' || jsonb_build_object('low_stock_threshold', before -> 'low_stock_at')
where table_name = 'products' and before ? 'low_stock_at';
update public.changes set
  after = after - 'low_stock_at' || jsonb_build_object('low_stock_threshold', after -> 'low_stock_at')
where table_name = 'products' and after ? 'low_stock_at';
update public.changes set
  before = before - 'hold_expires_at' || jsonb_build_object('reserved_until', before -> 'hold_expires_at')
where table_name = 'orders' and before ? 'hold_expires_at';
update public.changes set
  after = after - 'hold_expires_at' || jsonb_build_object('reserved_until', after -> 'hold_expires_at')
where table_name = 'orders' and after ? 'hold_expires_at';
alter table public.changes enable trigger user;

-- Queued jobs keep their task under its new name.
update graphile_worker._private_tasks t set identifier = n.new
from (values
  ('announce_stock', 'queue_stock_alerts'),
  ('announce_low_stock', 'queue_low_stock_alerts'),
  ('restart_forgotten_work', 'restart_lost_jobs'),
  ('forget_old_customers', 'erase_inactive_customers'),
  ('forget_old_changes', 'delete_old_changes'),
  ('forget_unsent_photos', 'delete_unsent_photos'),
  ('forget_unused_pictures', 'delete_unused_pictures')
) as n(old, new)
where t.identifier = n.old;

-- Tables, with their constraints, indexes and sequences
alter table private.held_time rename to reservation_time;
alter table private.low_stock_notices rename to low_stock_alerts;
alter table private.promo_guesses rename to promo_code_attempts;
alter table private.range_texts rename to search_texts;
alter table private.range_vocabulary rename to search_words;
alter table private.recorded_tables rename to history_tables;
alter table public.gallery_verdicts rename to gallery_reviews;
alter table public.payment_concern_resolutions rename to payment_issue_resolutions;
alter table public.payment_concerns rename to payment_issues;
alter table public.stock_holds rename to stock_reservations;
alter table private.reservation_time rename constraint held_time_customer_id_fkey to reservation_time_customer_id_fkey;
alter table private.reservation_time rename constraint held_time_pkey to reservation_time_pkey;
alter table private.reservation_time rename constraint held_time_variant_id_fkey to reservation_time_variant_id_fkey;
alter table private.low_stock_alerts rename constraint low_stock_notices_pkey to low_stock_alerts_pkey;
alter table private.low_stock_alerts rename constraint low_stock_notices_variant_id_fkey to low_stock_alerts_variant_id_fkey;
alter table private.promo_code_attempts rename constraint promo_guesses_customer_id_fkey to promo_code_attempts_customer_id_fkey;
alter table private.promo_code_attempts rename constraint promo_guesses_pkey to promo_code_attempts_pkey;
alter table private.search_texts rename constraint range_texts_product_id_fkey to search_texts_product_id_fkey;
alter table private.search_texts rename constraint range_texts_variant_id_fkey to search_texts_variant_id_fkey;
alter table private.search_words rename constraint range_vocabulary_pkey to search_words_pkey;
alter table private.history_tables rename constraint recorded_tables_pkey to history_tables_pkey;
alter table private.sales_days rename constraint part_twice to shard_twice;
alter table private.shop_rules rename constraint hold_limit_out_of_range to reservation_limit_out_of_range;
alter table private.shop_rules rename constraint hold_without_time to reservation_without_time;
alter table public.gallery_reviews rename constraint gallery_verdicts_pkey to gallery_reviews_pkey;
alter table public.gallery_reviews rename constraint gallery_verdicts_submission_id_fkey to gallery_reviews_submission_id_fkey;
alter table public.payment_issue_resolutions rename constraint payment_concern_resolutions_concern_id_fkey to payment_issue_resolutions_issue_id_fkey;
alter table public.payment_issue_resolutions rename constraint payment_concern_resolutions_pkey to payment_issue_resolutions_pkey;
alter table public.payment_issues rename constraint payment_concerns_notice_id_fkey to payment_issues_notice_id_fkey;
alter table public.payment_issues rename constraint payment_concerns_pkey to payment_issues_pkey;
alter table public.products rename constraint live_lures_wait_for_nothing to live_product_with_publish_time;
alter table public.stock_reservations rename constraint held_twice to reserved_twice;
alter table public.stock_reservations rename constraint hold_of_nothing to reservation_of_nothing;
alter table public.stock_reservations rename constraint stock_holds_order_id_fkey to stock_reservations_order_id_fkey;
alter table public.stock_reservations rename constraint stock_holds_pkey to stock_reservations_pkey;
alter table public.stock_reservations rename constraint stock_holds_variant_id_fkey to stock_reservations_variant_id_fkey;
alter index private.held_time_variant_id_idx rename to reservation_time_variant_id_idx;
alter index private.range_texts_idx rename to search_texts_idx;
alter index private.range_texts_variant_id_idx rename to search_texts_variant_id_idx;
alter index public.gallery_verdicts_submission_id_idx rename to gallery_reviews_submission_id_idx;
alter index public.order_items_lure_idx rename to order_items_product_name_idx;
alter index public.order_items_words_idx rename to order_items_search_text_idx;
alter index public.orders_normal_email_idx rename to orders_normalised_email_idx;
alter index public.orders_normal_phone_idx rename to orders_normalised_phone_idx;
alter index public.orders_words_idx rename to orders_search_text_idx;
alter index public.payment_concerns_by_order rename to payment_issues_by_order;
alter index public.payment_concerns_by_refund rename to payment_issues_by_refund;
alter index public.products_low_stock_at_idx rename to products_low_stock_threshold_idx;
alter index public.profiles_normal_email_idx rename to profiles_normalised_email_idx;
alter index public.profiles_normal_phone_idx rename to profiles_normalised_phone_idx;
alter index public.profiles_words_idx rename to profiles_search_text_idx;
alter index public.stock_holds_variant_id_idx rename to stock_reservations_variant_id_idx;
alter sequence public.gallery_verdicts_id_seq rename to gallery_reviews_id_seq;

-- Columns
alter table private.reservation_time rename column held_from to reserved_from;
alter table private.reservation_time rename column held_until to reserved_to;
alter table private.promo_code_attempts rename column guessed_at to attempted_at;
alter table private.shop_rules rename column hold_minutes to reservation_minutes;
alter table private.shop_rules rename column hold_limit_minutes to reservation_limit_minutes;
alter table private.shop_rules rename column low_stock_at to low_stock_threshold;
alter table public.orders rename column hold_expires_at to reserved_until;
alter table public.payment_issue_resolutions rename column concern_id to issue_id;
alter table public.products rename column low_stock_at to low_stock_threshold;
alter table private.sales_days rename column part to shard;

-- Types
alter type private.sale rename to matched_variant;
alter type private.need rename to reservation_request;
alter type private.set_aside rename to reservation;

-- Functions that indexes and constraints use
alter function private.normal_email(text) rename to normalise_email;
alter function private.tidy(text) rename to normalise_line;
alter function private.normal_phone(text) rename to normalise_phone;
alter function private.order_words(orders) rename to order_search_text;
alter function private.words_of(text) rename to split_words;
alter function private.client_words(profiles) rename to client_search_text;
alter function private.lure_words(order_items) rename to item_search_text;
