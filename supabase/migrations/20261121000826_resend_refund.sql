-- Sending a refund again begins where its silence ended: unknown → sent, in one step. Going back to `requested` in between would let
-- another refund of the payment slip in, and PayFast's balance could no longer tell the two apart.
drop function private.resend_refund(uuid);

-- PayFast's balance is what it was before the refund was sent. A late one may still be under way, so that counts only after an
-- hour; then it may be sent again, three times in all. True when the caller is to send it now.
create function private.resend_refund(refund_id uuid, available numeric) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(resend_refund.refund_id);
    times_sent integer;
    last_sent timestamptz;
  begin
    select count(*), max(e.created_at) into times_sent, last_sent
      from public.payment_refund_events e
      where e.refund_id = refund.id and e.state = 'sent' and e.id > private.last_refund_step(refund.id, 'failed');
    if private.refund_state(refund.id) not in ('sent', 'unknown') then
      return false;
    elsif last_sent > now() - interval '1 hour' then
      perform private.postpone_refund(refund.id, 'PayFast has not given it back yet');
      return false;
    elsif times_sent >= 3 then
      perform private.fail_refund(refund.id, 'PayFast was asked three times and gave nothing back');
      return false;
    end if;
    perform private.write_refund_step(refund, 'sent', jsonb_build_object('available', resend_refund.available));
    return true;
  end
  $$;
