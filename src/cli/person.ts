/** Who is responsible for a command: `--as NAME`, with a PIN that is typed without echo, piped or read from a file. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { permissionWords } from '../locales/messages/en/permissions.ts';
import type { Permission, Person, Staff } from '../staff/running.ts';
import { malformed } from './arguments.ts';
import { askHidden, hiddenIn } from './hidden-input.ts';

export type PersonFlags = { as?: string; pinFile?: string };

export const withPerson = (command: Command): Command =>
  command
    .option('--as <name>', 'who does this; asks for the PIN, or reads it from a pipe')
    .option('--pin-file <file>', 'a file with the PIN, instead');

const pinOf = async (name: string, pinFile: string | undefined): Promise<string> =>
  pinFile === undefined ? askHidden(`PIN of ${name}: `) : hiddenIn(pinFile);

/** Who signs in at the till's local API. Undefined if nobody is named. Throws `staff.pinMissing`. */
export const signInOf = async ({
  as: name,
  pinFile,
}: PersonFlags): Promise<{ name: string; pin: string } | undefined> =>
  name === undefined ? undefined : { name, pin: await pinOf(name, pinFile) };

/** Who is responsible at a till that is not opened. Undefined while it has no people. Throws as `Staff.admit`. */
export const personIfKnown = async (
  { as: name, pinFile }: PersonFlags,
  { staff }: { staff: Staff },
  permission: Permission,
): Promise<Person | undefined> => {
  const isKnown = staff.people().length > 0;
  if (!isKnown && name === undefined) return undefined;
  if (!isKnown) throw new Fault('staff.nobody');
  if (name === undefined) throw new Fault('staff.needed', { what: permissionWords[permission] });
  return staff.admit({ name, pin: await pinOf(name, pinFile) }, permission);
};

export type CashierFlags = PersonFlags & { cashier?: string };

/** Options for the cashier's name on the receipt, and for the person who is responsible. */
export const withCashier = (command: Command): Command =>
  withPerson(
    command.option(
      '--cashier <name>',
      'the name on the receipt, instead of that of --as; once the till has people, one of them, and only a manager may name another',
    ),
  );

/** The name from `--cashier`, if it was typed. Throws `command.malformed`. */
export const cashierIn = ({ cashier }: CashierFlags): { cashier?: string } => {
  if (cashier === undefined) return {};
  const name = cashier.trim();
  if (name === '') throw malformed('--cashier needs a name');
  return { cashier: name };
};
