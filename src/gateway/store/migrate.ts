/** How a database is brought to the newest version: numbered steps, forward only, the same way on every engine. */
import { Fault } from '../../base/fault.ts';

/** The statements of one version. Never edit a step that was released: add one. */
export type Step = readonly string[];

export const versionTable = 'create table if not exists schema_version (version integer not null)';

/**
 * The statements that bring a database of this version to the newest, its own number included; to be run in one
 * transaction. Throws `gateway.state` for a database of a newer program.
 */
export const pending = (steps: readonly Step[], version: number): readonly string[] => {
  if (version > steps.length) {
    throw new Fault('gateway.state', { why: `it is of version ${version}, this program knows ${steps.length}` });
  }
  if (version === steps.length) return [];
  return [
    ...steps.slice(version).flat(),
    'delete from schema_version',
    `insert into schema_version (version) values (${steps.length})`,
  ];
};
