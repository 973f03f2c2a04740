/** To count what a channel has open, and to find what nobody ever submitted, without reading all of the checkouts. */
import type { Statements } from '../../store/migrate.ts';

const indexes: Statements = [
  'create index checkout_of_channel on checkout (entity_id, at)',
  "create index checkout_abandoned on checkout (at) where attempts = '[]'",
];

export const checkoutBoundSteps: { readonly sqlite: Statements; readonly postgres: Statements } = {
  sqlite: indexes,
  postgres: indexes,
};
