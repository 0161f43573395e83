import type { PlantedFault } from './fault.ts'

const outbox = 'supabase/schema/mail/outbox.sql'
const orderMails = 'supabase/schema/mail/order_mails.sql'
const jobs = 'supabase/schema/jobs/jobs.sql'
const messages = 'supabase/schema/messages/messages.sql'
const limits = 'packages/backend/database/schema/auth/rate_limits.sql'
const outboxTests = ['emails/outbox/outbox.test.ts']
const staffOrderTests = ['supabase/tests/staff-orders.test.ts']
const lostTests = ['payments/lost-jobs.test.ts']
const reminderTests = ['payments/needs-attention.test.ts']
const neighbourTests = ['test/attacks/ipv6-neighbours.test.ts']

export const jobFaults: PlantedFault[] = [
  {
    rule: 'a job runner that starts on a full disk runs jobs once the disk has room',
    file: 'packages/backend/jobs/run-jobs.ts',
    find: '  void firstFetchFailed.then(() => runner.stop()).catch(() => {})\n',
    replace: '',
    tests: ['packages/backend/jobs/jobs.test.ts'],
  },
  {
    rule: 'a mail is tried for three days',
    file: outbox,
    find: 'last_attempt constant integer := 44;',
    replace: 'last_attempt constant integer := 14;',
    tests: outboxTests,
  },
  {
    rule: 'the pauses between attempts to send a mail grow',
    file: outbox,
    find: 'private.mail_retry_delay(tried)',
    replace: 'private.mail_retry_delay(1)',
    tests: outboxTests,
  },
  {
    rule: 'a mail that is sent is not sent again by a retry',
    file: outbox,
    find: "and m.status in ('failed', 'queued') and not m.confidential",
    replace: 'and not m.confidential',
    tests: [...staffOrderTests, ...outboxTests],
  },
  {
    rule: 'staff do not retry a mail with a secret',
    file: outbox,
    find: "and m.status in ('failed', 'queued') and not m.confidential",
    replace: "and m.status in ('failed', 'queued')",
    tests: [...staffOrderTests, ...outboxTests],
  },
  {
    rule: 'staff do not resend a mail with a secret',
    file: outbox,
    find: 'where m.id = resend_mail.mail_id and not m.confidential;',
    replace: 'where m.id = resend_mail.mail_id;',
    tests: [...staffOrderTests, ...outboxTests],
  },
  {
    rule: 'marketing is sent only once',
    file: outbox,
    find: 'elsif sent.is_marketing then',
    replace: 'elsif false then',
    tests: [...staffOrderTests, 'emails/outbox/unsubscribe.test.ts'],
  },
  {
    rule: 'a mail that waits is not resent as a second one',
    file: outbox,
    find: "elsif sent.status <> 'sent' then",
    replace: 'elsif false then',
    tests: staffOrderTests,
  },
  {
    rule: 'a job that has used up its attempts is started anew',
    file: jobs,
    find: ' and j.attempts < j.max_attempts)',
    replace: ')',
    tests: lostTests,
  },
  {
    rule: 'a decided notice is not checked again',
    file: jobs,
    find: '\n        and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)',
    replace: '',
    tests: lostTests,
  },
  {
    rule: 'a lost refund is continued',
    file: jobs,
    find: "r.way = 'payfast' and r.state in ('requested', 'sent', 'unknown')",
    replace: "r.way = 'payfast' and r.state in ('requested')",
    tests: ['payments/refunds.test.ts'],
  },
  {
    rule: 'a refund that is done is not continued',
    file: jobs,
    find: "r.way = 'payfast' and r.state in ('requested', 'sent', 'unknown')",
    replace: "r.way = 'payfast' and r.state <> 'failed'",
    tests: ['payments/refunds.test.ts'],
  },
  {
    rule: 'an unpaid order is reminded only after its reservation has ended',
    file: orderMails,
    find: "where o.status = 'pending_payment' and o.placed_at is not null and o.customer_id is not null and o.customer_email is not null\n        and o.reserved_until < now() - make_interval(mins => r.remind_after_minutes) and",
    replace:
      "where o.status = 'pending_payment' and o.placed_at is not null and o.customer_id is not null and o.customer_email is not null\n        and",
    tests: reminderTests,
  },
  {
    rule: 'an order that expires within an hour is not reminded',
    file: orderMails,
    find: "o.expires_at > now() + interval '1 hour'",
    replace: 'o.expires_at > now()',
    tests: reminderTests,
  },
  {
    rule: 'each order is reminded once',
    file: orderMails,
    find: "private.queue_mail('payment-reminder:' || u.id,",
    replace: "private.queue_mail('payment-reminder:' || u.id || clock_timestamp(),",
    tests: reminderTests,
  },
  {
    rule: 'a run of reminders selects only orders without one',
    file: orderMails,
    find: "\n        and not exists (select from public.mails m where m.key = 'payment-reminder:' || o.id)",
    replace: '',
    tests: reminderTests,
  },
  {
    rule: 'an order that was handed over gets no mail about shipping',
    file: orderMails,
    find: "o.shipping_method = 'hand-over' and o.status = 'delivered'",
    replace: "o.shipping_method = 'hand-over' and o.status = 'shipped'",
    tests: ['supabase/tests/hand-over.test.ts'],
  },
  {
    rule: 'a withdrawn refund sends one mail, the correction',
    file: orderMails,
    find: "and e.kind = 'refund_withdrawn' and e.created_at = now());",
    replace: "and e.kind = 'refund_withdrawn' and e.created_at < now());",
    tests: ['supabase/tests/withdrawn-refunds.test.ts'],
  },
  {
    rule: 'the mail about a refund states what was received in all',
    file: orderMails,
    find: "'received', coalesce(sum(b.amount_gross), 0)",
    replace: "'received', coalesce(max(b.refundable), 0)",
    tests: ['supabase/tests/refund-tasks.test.ts'],
  },
  {
    rule: 'all spellings of a mailbox get one confirmation of their messages a day',
    file: messages,
    find: "'contact-received:' || auth.mailbox_of(new.email) ||",
    replace: "'contact-received:' || lower(new.email) ||",
    tests: ['emails/outbox/contact-received.test.ts', 'test/attacks/spelled-mailbox.test.ts'],
  },
  {
    rule: 'a message is answered twice only on purpose',
    file: messages,
    find: 'if answered.submission_id is not null and again is not true then',
    replace: 'if false then',
    tests: ['supabase/tests/message-replies.test.ts'],
  },
  {
    rule: 'only staff answer messages',
    file: messages,
    find: '    perform private.require_staff();\n    select * into asked',
    replace: '    select * into asked',
    tests: ['supabase/tests/message-replies.test.ts'],
  },
  {
    rule: 'only a contact message of the last hour is announced',
    file: 'supabase/functions/send-contact-notification/handler.ts',
    find: "interval '1 hour'",
    replace: "interval '1 day'",
    tests: ['test/contracts/server-functions.contract.test.ts'],
  },
  {
    rule: 'only a photo that awaits review is announced',
    file: 'supabase/functions/send-gallery-notification/handler.ts',
    find: " and s.status = 'pending'",
    replace: '',
    tests: ['test/contracts/server-functions.contract.test.ts'],
  },
  {
    rule: 'a changed tracking number of a shipped order is mailed',
    file: orderMails,
    find: '(old.tracking_number, old.courier_company_id) is distinct from (new.tracking_number, new.courier_company_id)',
    replace: 'false',
    tests: ['supabase/tests/order-mails.test.ts'],
  },
  {
    rule: 'a photo that another person has just reviewed is not overruled',
    file: 'supabase/schema/gallery/review.sql',
    find: 'elsif submission.status <> review_photo.was then',
    replace: 'elsif false then',
    tests: ['supabase/tests/gallery-reviews.test.ts'],
  },
  {
    rule: 'a full rate limit refuses the next attempt',
    file: limits,
    find: 'if filled > tries - 1 then',
    replace: 'if filled > tries then',
    tests: ['test/attacks/guessed-promo-codes.test.ts'],
  },
  {
    rule: 'an IPv6 /48 has sixteen times the limit of a /64',
    file: limits,
    find: 'as $$ select tries * 16 $$;',
    replace: 'as $$ select tries * 160 $$;',
    tests: neighbourTests,
  },
  {
    rule: 'an attempt of a /64 counts for its /48',
    file: limits,
    find: "if filled is not null and subject like '%::/64'",
    replace: "if filled is null and subject like '%::/64'",
    tests: neighbourTests,
  },
  {
    rule: 'a rate limit drains with time',
    file: limits,
    find: 'level = greatest(0, l.level - extract(epoch from now() - l.updated_at) * tries / period_seconds) + cost,',
    replace: 'level = l.level + cost,',
    tests: ['packages/backend/auth/attacks/lockout.test.ts'],
  },
  {
    rule: 'a right guess gives back one attempt, not all',
    file: limits,
    find: 'set level = greatest(0, l.level - cost)',
    replace: 'set level = 0',
    tests: ['packages/backend/auth/attacks/guessed-links.test.ts'],
  },
  {
    rule: 'nightly work that was missed while the shop was off is made up for',
    file: 'server/tasks.ts',
    find: "const DAILY = { jobKey: true, fill: '2d' }",
    replace: 'const DAILY = { jobKey: true }',
    tests: ['server/tasks.test.ts'],
  },
  {
    rule: 'a restore test that was missed while the shop was off is made up for',
    file: 'server/tasks.ts',
    find: ", max: 3, fill: '8d' }",
    replace: ', max: 3 }',
    tests: ['server/tasks.test.ts'],
  },
  {
    rule: 'runs of the same task do not pile up while the queue stands still',
    file: 'server/tasks.ts',
    find: 'const POLL = { jobKey: true, max: 3 }',
    replace: 'const POLL = { max: 3 }',
    tests: ['server/tasks.test.ts'],
  },
]
