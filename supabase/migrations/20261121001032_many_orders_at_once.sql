-- What can be done with many orders in one press. Each order is tried by itself and under the rules it always has; the answer says which
-- were done and which were left, with the reason: {"done": ["…id"], "skipped": [{"order_number": 42, "reason": "…"}]}.
create function private.require_few_orders(order_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if coalesce(cardinality(order_ids), 0) not between 1 and 500 then
      perform private.refuse(422, 'too_many_orders', 'Between 1 and 500 orders at a time.');
    end if;
  end
  $$;

-- Orders, promo codes, shelf and products, each in the order of their ids, before any is changed: so this waits for payments and
-- checkouts and never against them.
create function private.lock_orders(order_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.orders o where o.id = any (order_ids) order by o.id for update;
    perform from public.promo_codes p
      where p.id in (select o.promo_code_id from public.orders o where o.id = any (order_ids))
      order by p.id for no key update;
    perform from public.product_variants v
      where v.id in (select i.variant_id from public.order_items i where i.order_id = any (order_ids))
      order by v.id for no key update;
    perform from public.products p
      where p.id in (select i.product_id from public.order_items i where i.order_id = any (order_ids))
      order by p.id for no key update;
  end
  $$;

create function private.why_not_set_status(found public.orders, wanted text) returns text
  language sql stable
  set search_path = ''
  as $$
    select case
      when found.id is null or found.placed_at is null then 'There is no such order.'
      when found.status = wanted or wanted = 'new' and found.status = 'pending' then 'It has this status already.'
      when wanted = 'shipped' and (coalesce(found.tracking_number, '') = '' or found.courier_company_id is null)
        then 'It has no tracking number and courier yet.'
    end
  $$;

create function public.set_status_of_orders(order_ids uuid[], status text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.orders;
    wanted_id uuid;
    reason text;
    done jsonb := '[]';
    skipped jsonb := '[]';
  begin
    perform private.require_admin();
    perform private.require_few_orders(order_ids);
    if (set_status_of_orders.status in ('new', 'processing', 'shipped', 'delivered', 'cancelled')) is not true then
      perform private.refuse(422, 'invalid_status', 'An order cannot be set to this.');
    end if;
    perform private.lock_orders(order_ids);

    for wanted_id in select distinct id from unnest(order_ids) id order by id loop
      select * into changed from public.orders o where o.id = wanted_id;
      reason := private.why_not_set_status(changed, set_status_of_orders.status);
      if reason is null then
        begin
          update public.orders o set status = set_status_of_orders.status where o.id = wanted_id;
        exception
          when sqlstate 'PT409' then
            reason := sqlerrm;
        end;
      end if;
      if reason is null then
        done := done || to_jsonb(wanted_id);
      else
        skipped := skipped || jsonb_build_object('order_number', changed.order_number, 'reason', reason);
      end if;
    end loop;
    return jsonb_build_object('done', done, 'skipped', skipped);
  end
  $$;
grant execute on function public.set_status_of_orders(uuid[], text) to authenticated;
comment on function public.set_status_of_orders(uuid[], text) is 'Sets the status of up to 500 orders, each as if by itself.';

-- One letter to each address among the orders, on the timeline of its newest order. The same words go to an address once a day.
create function public.write_to_buyers(order_ids uuid[], subject text, message text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    letter jsonb := jsonb_build_object('subject', btrim(subject), 'message', btrim(message));
    answer jsonb;
  begin
    perform private.require_admin();
    perform private.require_few_orders(order_ids);
    if (private.is_line(btrim(subject), 1, 200) and length(btrim(message)) between 1 and 10000) is not true then
      perform private.refuse(422, 'invalid_letter', 'Please fill in all fields');
    end if;

    with wanted as (
      select o.id, o.order_number, o.customer_name, lower(coalesce(o.customer_email, p.email)) as email,
        row_number() over (partition by lower(coalesce(o.customer_email, p.email)) order by o.created_at desc) as nth
      from public.orders o left join public.profiles p on p.id = o.customer_id
      where o.id = any (order_ids) and o.placed_at is not null
    ), written as (
      select w.id, private.queue_mail(
        'letter:' || to_char(now(), 'YYYY-MM-DD') || ':' || md5(letter::text) || ':' || w.email,
        'admin-email', w.email, letter || jsonb_build_object('customerName', w.customer_name, 'orderId', w.id)) as mail_id
      from wanted w where w.email is not null and w.nth = 1
    )
    select jsonb_build_object(
      'done', (select coalesce(jsonb_agg(id), '[]') from written where mail_id is not null),
      'skipped', (select coalesce(jsonb_agg(jsonb_build_object('order_number', w.order_number, 'reason', case
          when w.email is null then 'It has no e-mail address.' else 'The same customer gets one mail, about a newer order.' end)
        order by w.order_number), '[]') from wanted w where w.email is null or w.nth > 1))
    into answer;
    return answer;
  end
  $$;
grant execute on function public.write_to_buyers(uuid[], text, text) to authenticated;
comment on function public.write_to_buyers(uuid[], text, text) is 'One mail to each buyer of up to 500 orders.';
