/** To find a payment by its short id alone: PostgreSQL has had the index from its first version on. */
import type { Step } from '../migrate.ts';

export const shortIdSteps: Readonly<Record<'sqlite' | 'postgres', Step>> = {
  sqlite: { kind: 'expands', statements: ['create index payment_short on payment (short_id)'] },
  postgres: { kind: 'expands', statements: [] },
};
