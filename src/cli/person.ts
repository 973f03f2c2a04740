/** Who answers for a command: `--as NAME`, and the PIN asked for without echo, piped in, or from a file. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { type Permission, type Person, permissionWords } from '../runtime/staff.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { askHidden, hiddenIn } from './hidden-input.ts';

export type PersonFlags = { as?: string; pinFile?: string };

export const withPerson = (command: Command): Command =>
  command
    .option('--as <name>', 'who does this; the PIN is asked for, or read from a pipe')
    .option('--pin-file <file>', 'a file that holds the PIN, instead');

/**
 * The person, whose name and PIN are right and whose role does. Throws `staff.needed` without a name, and what
 * `Staff.admit` throws; every refused try is in the journal.
 */
export const personOf = async (
  { as: name, pinFile }: PersonFlags,
  { staff }: Pick<RunningTill, 'staff'>,
  permission: Permission,
): Promise<Person> => {
  if (staff.people().length === 0) throw new Fault('staff.nobody');
  if (name === undefined) throw new Fault('staff.needed', { what: permissionWords[permission] });
  const pin = pinFile === undefined ? await askHidden(`PIN of ${name}: `) : hiddenIn(pinFile);
  return staff.admit({ name, pin }, permission);
};

/** Once a manager is known at this till somebody answers for what needs one; before, nobody can. */
export const personIfKnown = async (
  flags: PersonFlags,
  running: Pick<RunningTill, 'staff'>,
  permission: Permission,
): Promise<Person | undefined> =>
  running.staff.people().length === 0 && flags.as === undefined ? undefined : personOf(flags, running, permission);
