/**
 * Brings a database to the newest version, and decides which versions may use a newer one: numbered steps, the same on
 * every engine. A version's number is the number of steps it knows.
 */
import { Fault } from '../../base/fault.ts';

export type Statements = readonly string[];

/** One version. Never edit a released step: add a new one. */
export type MigrationStep = {
  /**
   * After a step that `expands`, an older version can use the database as before: an addition has a default, or is a
   * table that nobody has to know. After one that `contracts` no older version may open it.
   */
  readonly kind: 'expands' | 'contracts';
  readonly statements: Statements;
  /**
   * Runs when this version finds that an older one has used the database: updates what that version did not know.
   * Changes nothing if all is up to date.
   */
  readonly repair?: Statements;
};

/**
 * Before versions recorded how far back they are compatible, none opened a newer database: each step excluded all
 * earlier versions.
 */
export const contractStep = (statements: Statements): MigrationStep => ({ kind: 'contracts', statements });

/** The first version that records which versions may open the database. */
export const reachStep: MigrationStep = contractStep([
  'alter table schema_version add column readable_since integer',
  'alter table schema_version add column worked_by integer',
]);

export const versionTable = 'create table if not exists schema_version (version integer not null)';

/**
 * The row of `schema_version`; without the last two columns, or with null in them, only its own version may open it.
 */
export type VersionRow = {
  readonly version: number | bigint;
  readonly readable_since?: number | bigint | null;
  readonly worked_by?: number | bigint | null;
};

/**
 * The statements that bring the database to the newest version, including its number; to be run in one transaction. A
 * newer database is used unchanged if it says that this version may. Throws `gateway.state` for any other newer one.
 */
export const pendingStatements = (steps: readonly MigrationStep[], row: VersionRow | undefined): Statements => {
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
