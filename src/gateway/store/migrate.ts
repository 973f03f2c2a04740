/**
 * How a database is brought to the newest version, and which versions may work on a newer one: numbered steps, the same
 * way on every engine. The number of a version is how many steps it knows.
 */
import { Fault } from '../../base/fault.ts';

export type Statements = readonly string[];

/** One version. Never edit a step that was released: add one. */
export type MigrationStep = {
  /**
   * After a step that `expands`, an older version works on the database as before: what was added has a default, or is
   * a table that nobody has to know. After one that `contracts` no older version may open it.
   */
  readonly kind: 'expands' | 'contracts';
  readonly statements: Statements;
  /**
   * Run when this version finds that an older one has worked on the database: brings up to date what that one did not
   * know of. Changes nothing where all is up to date.
   */
  readonly repair?: Statements;
};

/** Before versions said how far back they reach, none opened a newer database: each step shut out all before it. */
export const contracts = (statements: Statements): MigrationStep => ({ kind: 'contracts', statements });

/** The first version that says which versions may open the database. */
export const reachStep: MigrationStep = contracts([
  'alter table schema_version add column readable_since integer',
  'alter table schema_version add column worked_by integer',
]);

export const versionTable = 'create table if not exists schema_version (version integer not null)';

/** The row of `schema_version`; without the last two columns, or with null there, only its own version may open it. */
export type VersionRow = {
  readonly version: number | bigint;
  readonly readable_since?: number | bigint | null;
  readonly worked_by?: number | bigint | null;
};

/**
 * The statements that bring the database to the newest version, its own number included; to be run in one transaction.
 * A newer one is used as it is where it says that this version may. Throws `gateway.state` for any other newer one.
 */
export const pending = (steps: readonly MigrationStep[], row: VersionRow | undefined): Statements => {
  const newest = steps.length;
  const version = Number(row?.version ?? 0);
  const workedBy = Number(row?.worked_by ?? version);
  if (version > newest) {
    if (Number(row?.readable_since ?? version) > newest)
      throw new Fault('gateway.state', { why: `it is of version ${version}, this program knows ${newest}` });
    return workedBy > newest ? [`update schema_version set worked_by = ${newest}`] : [];
  }
  if (version === newest && workedBy >= newest) return [];
  const readableSince = steps.findLastIndex(({ kind }) => kind === 'contracts') + 1;
  return [
    ...steps.slice(Math.min(workedBy, version), version).flatMap(({ repair = [] }) => repair),
    ...steps.slice(version).flatMap(({ statements }) => statements),
    'delete from schema_version',
    `insert into schema_version (version, readable_since, worked_by) values (${newest}, ${readableSince}, ${newest})`,
  ];
};
