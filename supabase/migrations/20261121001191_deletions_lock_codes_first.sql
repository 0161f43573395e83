-- A paid order that is deleted gives back its lures and its use of a code. Whoever places an order takes the code first and the shelf
-- after it, so a deletion does the same; the other way round the two could wait for each other.
create or replace function private.return_stock_of_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if old.status in ('new', 'processing', 'pending') then
      perform from public.promo_codes p where p.id = old.promo_code_id for no key update;
      perform private.return_stock(old.id);
    end if;
    return old;
  end
  $$;
