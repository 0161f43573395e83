-- Not granted: the simulator reads and writes its two tables as the owner.
comment on table simulator.payments is 'Payment pages that were opened in the simulator.';
comment on column simulator.payments.form is 'The fields that the shop posted.';
comment on column simulator.payments.status is 'open, paid or cancelled.';
comment on table simulator.notices is 'Payment notices that the simulator sends, as PayFast would.';
comment on column simulator.notices.silent_until is
  'Until then the simulated confirmation endpoint is down for this notice.';
comment on column simulator.notices.body is 'The notice as the simulator sends it.';
comment on column simulator.notices.parameters is 'The part that the confirmation endpoint compares.';
comment on column simulator.notices.known is
  'Whether the confirmation endpoint calls it valid. A forged notice is unknown.';
comment on column simulator.notices.delivered_at is 'When the shop answered with 200.';
