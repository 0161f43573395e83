-- Whether a colour can be bought is asked of the view that looks at this colour alone.
create or replace function public.request_stock_alert(variant uuid, email text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    asked_by text := lower(btrim(request_stock_alert.email));
    is_buyable boolean;
  begin
    if private.is_email(asked_by) is not true then
      perform private.refuse(422, 'invalid_email', 'Invalid email address');
    end if;
    select s.available > 0 or p.made_to_order into is_buyable
    from public.product_availability s
    join public.products p on p.id = s.product_id
    where s.variant_id = request_stock_alert.variant;
    if is_buyable is null then
      perform private.refuse(404, 'variant_not_found', 'There is no such colour.');
    elsif is_buyable then
      return jsonb_build_object('outcome', 'available');
    end if;

    -- Twenty are more than anybody waits for; what is beyond is dropped without a word, as the answer tells nothing.
    if (select count(*) from public.stock_alerts a
        where a.email = asked_by and a.mailed_at is null and a.withdrawn_at is null) < 20 then
      insert into public.stock_alerts (variant_id, email, wording)
        values (request_stock_alert.variant, asked_by, 'Mail me once when it is back in stock.')
        on conflict do nothing;
    end if;
    return jsonb_build_object('outcome', 'noted');
  end
  $$;
