/** Who answers for a command: `--as NAME`, and the PIN asked for without echo, piped in, or from a file. */
import type { Command } from 'commander';
import type { RunningTill } from '../app/start-till.ts';
import { Fault } from '../base/fault.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';
import type { Permission, Person } from '../staff/running.ts';
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
  return staff.admit({ name, pin: await pinOf(name, pinFile) }, permission);
};

const pinOf = async (name: string, pinFile: string | undefined): Promise<string> =>
  pinFile === undefined ? askHidden(`PIN of ${name}: `) : hiddenIn(pinFile);

/** Who signs in at the till's local API; undefined where nobody is named. Throws `staff.pinMissing`. */
export const signInOf = async ({
  as: name,
  pinFile,
}: PersonFlags): Promise<{ name: string; pin: string } | undefined> =>
  name === undefined ? undefined : { name, pin: await pinOf(name, pinFile) };

/** Once a manager is known at this till somebody answers for what needs one; before, nobody can. */
export const personIfKnown = async (
  flags: PersonFlags,
  running: Pick<RunningTill, 'staff'>,
  permission: Permission,
): Promise<Person | undefined> =>
  running.staff.people().length === 0 && flags.as === undefined ? undefined : personOf(flags, running, permission);

export type CashierFlags = PersonFlags & { cashier?: string };

/** Who stands on the receipt, and who answers for it. */
export const withCashier = (command: Command): Command =>
  withPerson(
    command.option(
      '--cashier <name>',
      'the name on the receipt, instead of that of --as; once the till has people, one of theirs, for a manager to say',
    ),
  );

/** The name for the receipt, where one is typed. Throws `command.malformed`. */
export const cashierIn = ({ cashier }: CashierFlags): { cashier?: string } => {
  if (cashier === undefined) return {};
  const name = cashier.trim();
  if (name === '') throw new Fault('command.malformed', { why: '--cashier needs a name' });
  return { cashier: name };
};
