/** The index of short ids: kept for a while, and dropped when ids were found by the time that a short id carries. */
import type { MigrationStep } from '../../store/migrate.ts';

/** PostgreSQL has had the index from its first version on. */
export const shortIdSteps: Readonly<Record<'sqlite' | 'postgres', MigrationStep>> = {
  sqlite: { kind: 'expands', statements: ['create index payment_short on payment (short_id)'] },
  postgres: { kind: 'expands', statements: [] },
};

/** An older version still finds its payments, only slower. */
export const shortIdByTimeStep: MigrationStep = { kind: 'expands', statements: ['drop index if exists payment_short'] };
