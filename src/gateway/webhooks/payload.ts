/** The content of a notification (spec 6): the answer about a payment, a registration or a schedule as it was then. */
import { money, printAmount } from '../../base/money.ts';
import { type Body, paymentAnswer } from '../payments/response.ts';
import { toPayment } from '../payments/store/payments.ts';
import { registrationAnswer } from '../registrations/answer.ts';
import { scheduleBody } from '../schedules/answer.ts';
import { isPersonal } from '../spec/parameters/all.ts';
import type { KeptCard, Payment, Registration, RegistrationFacts } from '../store/records.ts';
import type { Schedule, ScheduleFacts } from '../store/schedule-store.ts';
import type { Webhook, WebhookEvent } from '../store/webhook-store.ts';

/** The name of a channel, by its entityId. */
export type Names = (entityId: string) => string | undefined;

type NotificationInput = { event: WebhookEvent; fields: Webhook['fields']; names: Names };

/** The whole notification, to be encrypted. */
export const notificationOf = ({ event, fields, names }: NotificationInput): Body => {
  const { type, action, id, number } = event;
  const { payload, presentation = {} } = payloadParts(event, fields, names);
  return { type, action, payload, ...presentation, eventId: id, sequence: number };
};

type PayloadParts = { payload: Body; presentation?: Body };

const payloadParts = (event: WebhookEvent, fields: Webhook['fields'], names: Names): PayloadParts => {
  const row = JSON.parse(event.snapshot) as Record<string, string | null>;
  const channelFields = channelFieldsFor(row['entity_id'] ?? '', names);
  if (event.type === 'REGISTRATION') return { payload: { ...registrationOf(row, event, fields), ...channelFields } };
  if (event.type === 'SCHEDULE') return { payload: { ...scheduleOf(row, fields), ...channelFields } };
  const payment = paymentIn(row);
  const presentation = {
    presentationAmount: printAmount(payment.amount),
    presentationCurrency: payment.amount.currency,
  };
  const { body } = paymentAnswer(fields === 'ALL' ? payment : removePersonalData(payment));
  const source = payment.facts.checkoutId === undefined ? 'OPP' : 'OPPUI';
  const { paymentMethod } = payment;
  return { payload: { ...body, ...presentation, paymentMethod, source, ...channelFields }, presentation };
};

const channelFieldsFor = (entityId: string, names: Names): Body => {
  const channelName = names(entityId);
  return { authentication: { entityId }, channelName };
};

type Snapshot = Record<string, string | null>;
type PaymentRow = Parameters<typeof toPayment>[0];

/** 64-bit integers are text there. */
const paymentIn = (row: Snapshot): Payment =>
  toPayment({
    ...(row as unknown as PaymentRow),
    amount_minor: BigInt(row['amount_minor'] ?? 0),
    at: BigInt(row['at'] ?? 0),
  });

const registrationOf = (row: Snapshot, { action, at }: WebhookEvent, fields: Webhook['fields']): Body => {
  const facts = JSON.parse(row['facts'] ?? '{}') as RegistrationFacts;
  const registration = {
    id: row['id'] ?? '',
    entityId: row['entity_id'] ?? '',
    paymentMethod: row['payment_method'],
    paymentBrand: row['payment_brand'] ?? '',
    at: Number(row['at']),
    keptUntil: Number(row['kept_until']),
    state: row['state'],
    accountHash: '',
    facts: fields === 'ALL' ? facts : removeHolder(facts),
  } as Registration;
  const paymentType = action === 'CREATED' ? 'RG' : action === 'DELETED' ? 'DR' : undefined;
  return registrationAnswer(registration, {
    paymentType,
    code: facts.resultCode,
    requestId: facts.requestId,
    at: action === 'CREATED' ? registration.at : at,
  }).body;
};

const removePersonalData = (payment: Payment): Payment => {
  const { card, warnings: _, ...facts } = payment.facts;
  return {
    ...payment,
    facts: { ...facts, echo: removePersonalEcho(facts.echo), card: card && removeHolderOfCard(card) },
  };
};

const removeHolderOfCard = ({ holder: _, ...card }: KeptCard): KeptCard => card;

const removeHolder = (facts: RegistrationFacts): RegistrationFacts => {
  const { card, bankAccount, virtualAccount: _, warnings: __, ...rest } = facts;
  const { holder: ___, ...account } = bankAccount ?? {};
  return {
    ...rest,
    echo: removePersonalEcho(facts.echo),
    card: card && removeHolderOfCard(card),
    bankAccount: bankAccount && account,
  };
};

// The notification of a schedule: the answer about it, from the row as it was then.

/** `row`: the snapshot, with integers as text. */
const scheduleOf = (row: Readonly<Record<string, string | null>>, fields: Webhook['fields']): Body => {
  const textOf = (name: string): string => row[name] ?? '';
  const facts = JSON.parse(textOf('facts')) as ScheduleFacts;
  const endsAt = row['ends_at'] ?? undefined;
  const about = {
    id: textOf('id'),
    entityId: textOf('entity_id'),
    rootId: textOf('root_id'),
    registrationId: textOf('registration_id'),
    paymentType: textOf('payment_type') as Schedule['paymentType'],
    amount: money(BigInt(textOf('amount_minor')), textOf('currency')),
    at: Number(textOf('at')),
    resultCode: textOf('result_code'),
    endsAt: endsAt === undefined ? undefined : Number(endsAt),
    facts: fields === 'ALL' ? facts : { ...facts, request: removePersonalEcho(facts.request) },
  };
  const schedule: Schedule =
    row['state'] === 'active'
      ? { ...about, state: 'active', nextAt: Number(textOf('next_at')) }
      : { ...about, state: 'ended' };
  return scheduleBody({ schedule });
};

// Echoed parameters without personal data of the shopper.

/** Custom parameters belong to the merchant, and go to nobody else. */
const isKept = (name: string): boolean => name.startsWith('customParameters') || !isPersonal(name);

const removePersonalEcho = (echo: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(echo).filter(([name]) => isKept(name)));
