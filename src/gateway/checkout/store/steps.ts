/**
 * The tables of checkouts on both engines. The shop's values are encrypted, and their key is deleted when the checkout
 * ends; the row stays as long as somebody may ask about it. A call stays in checkout_call until a gateway has claimed
 * it.
 */
import type { Statements } from '../../store/migrate.ts';

const createCheckoutTables = (integerType: string, ends: string): Statements => [
  `create table checkout (
      id text primary key,
      entity_id text not null,
      kind text not null check (kind in ('payment', 'registration')),
      at ${integerType} not null,
      key_id text check ((key_id is null) = (box is null)),
      wrapped_key text check ((wrapped_key is null) = (box is null)),
      box text,
      attempts text not null,
      fetched_at ${integerType}
    )${ends}`,
  'create index checkout_open on checkout (at) where box is not null',
  `create table checkout_call (
      checkout_id text not null references checkout (id),
      kind text not null check (kind in ('result', 'last', 'notification')),
      url text not null,
      due_at ${integerType} not null,
      payment_id text,
      claimed_at ${integerType},
      primary key (checkout_id, kind)
    )${ends}`,
  'create index checkout_call_due on checkout_call (due_at) where claimed_at is null',
  "create index checkout_call_awaited on checkout_call (payment_id) where claimed_at is null and kind = 'notification'",
];

export const checkoutSteps: { sqlite: Statements; postgres: Statements } = {
  sqlite: createCheckoutTables('integer', ' strict, without rowid'),
  postgres: createCheckoutTables('bigint', ''),
};

const indexes: Statements = [
  'create index checkout_of_channel on checkout (entity_id, at)',
  "create index checkout_abandoned on checkout (at) where attempts = '[]'",
];

/** Counts a channel's open checkouts and finds those never submitted without reading all checkouts. */
export const checkoutBoundSteps: { readonly sqlite: Statements; readonly postgres: Statements } = {
  sqlite: indexes,
  postgres: indexes,
};
