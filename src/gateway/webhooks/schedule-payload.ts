/** What a notification says of a schedule: the answer about it, as the row stood then. */
import { money } from '../../base/money.ts';
import type { Body } from '../payments/response.ts';
import { scheduleBody } from '../schedules/answer.ts';
import type { Schedule, ScheduleFacts } from '../schedules/store/schedules.ts';
import { impersonal } from './impersonal.ts';
import type { Webhook } from './store/webhooks.ts';

/** `row`: the snapshot, whole numbers as text. */
export const scheduleOf = (row: Readonly<Record<string, string | null>>, fields: Webhook['fields']): Body => {
  const text = (name: string): string => row[name] ?? '';
  const facts = JSON.parse(text('facts')) as ScheduleFacts;
  const endsAt = row['ends_at'];
  const about = {
    id: text('id'),
    entityId: text('entity_id'),
    rootId: text('root_id'),
    registrationId: text('registration_id'),
    paymentType: text('payment_type') as Schedule['paymentType'],
    amount: money(BigInt(text('amount_minor')), text('currency')),
    at: Number(text('at')),
    resultCode: text('result_code'),
    ...(endsAt === null || endsAt === undefined ? {} : { endsAt: Number(endsAt) }),
    facts: fields === 'ALL' ? facts : { ...facts, request: impersonal(facts.request) },
  };
  const schedule: Schedule =
    row['state'] === 'active'
      ? { ...about, state: 'active', nextAt: Number(text('next_at')) }
      : { ...about, state: 'ended' };
  return scheduleBody({ schedule });
};
