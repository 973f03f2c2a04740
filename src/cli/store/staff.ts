/** `till staff` and `till pos-key`: people who work at this till, and keys of programs that sell through it. */
import type { Command } from 'commander';
import type { RunningTill } from '../../app/start-till.ts';
import { systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { systemRandom } from '../../base/ids.ts';
import { isRole, mayDo, type Person, type Role, roles } from '../../staff/running.ts';
import { openPosKeys, type PosKeys } from '../../staff/sessions/pos-keys.ts';
import { askHidden, hiddenIn } from '../hidden-input.ts';
import { type PersonFlags, personIfKnown, personOf, withPerson } from '../person.ts';
import { print, tell } from '../terms.ts';
import { printJson } from '../till-folder.ts';
import { type TillFlags, withTill, withTillOptions } from '../till-options.ts';

type StaffFlags = TillFlags & PersonFlags & { role?: string; newPinFile?: string };

export const addStaff = (till: Command): void => {
  const staff = till.command('staff').description('who works at this till: cashiers, managers, technicians');
  const sub = (words: string, what: string): Command => withTillOptions(staff.command(words).description(what));
  withPerson(sub('add <name>', 'let somebody in; the first one is a manager, and needs nobody’s leave'))
    .requiredOption('--role <role>', roles.join(', '))
    .option('--new-pin-file <file>', 'a file that holds the new PIN, instead of asking for it')
    .action(add);
  withPerson(sub('remove <name>', 'let somebody in no more; what they did stays in the journal')).action(remove);
  withPerson(sub('pin <name>', 'give somebody a new PIN; managers, and everybody for themselves'))
    .option('--new-pin-file <file>', 'a file that holds the new PIN, instead of asking for it')
    .action(changePin);
  sub('list', 'who is known').action(list);
};

const add = (name: string, flags: StaffFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const role = roleOf(flags.role);
    const by = await personIfKnown(flags, running, 'manageStaff');
    if (by === undefined) tell('Nobody is known at this till yet: its first manager needs nobody’s leave.');
    const fresh = await running.staff.add({ name, role, pin: await newPin(flags, name) }, by);
    if (flags.json === true) printJson(running.shown, fresh);
    else tell(`${fresh.name} is ${fresh.role} here now.`);
  });

const remove = (name: string, flags: StaffFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const gone = running.staff.remove(name, await personOf(flags, running, 'manageStaff'));
    if (flags.json === true) printJson(running.shown, gone);
    else tell(`${gone.name} is not let in any more. What they did stays in the journal.`);
    tellOfUnapproved(running);
  });

const changePin = (name: string, flags: StaffFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const isOwn = flags.as !== undefined && flags.as.toLowerCase() === name.toLowerCase();
    const by = await personOf(flags, running, isOwn ? 'diagnose' : 'manageStaff');
    const changed = await running.staff.changePin({ name, pin: await newPin(flags, name) }, by);
    if (flags.json === true) printJson(running.shown, changed);
    else tell(`${changed.name} has a new PIN.`);
  });

const list = (flags: StaffFlags): Promise<void> =>
  withTill(flags, async ({ staff, shown }) => {
    const people = staff.people();
    if (flags.json === true) printJson(shown, { people });
    else if (people.length === 0)
      tell('Nobody yet. Add the first manager: npm run till -- staff add NAME --role manager');
    else for (const { name, role } of people) print(`${role.padEnd(10)}  ${name}`);
  });

const roleOf = (text = ''): Role => {
  if (isRole(text)) return text;
  throw new Fault('command.malformed', { why: `--role is ${roles.join(', ')}, not "${text}"` });
};

/** Typed twice where it cannot be seen. */
const newPin = async ({ newPinFile }: StaffFlags, name: string): Promise<string> => {
  if (newPinFile !== undefined) return hiddenIn(newPinFile);
  const pin = await askHidden(`New PIN for ${name}: `);
  if (process.stdin.isTTY && (await askHidden('Once more: ')) !== pin)
    throw new Fault('staff.pinWeak', { why: 'it was typed differently the second time' });
  return pin;
};

// `till pos-key`: keys of programs that sell through this till's local API. A key is told once, and kept as a hash.

type KeyFlags = TillFlags & PersonFlags;
type ApproverFlags = { approvedBy?: string; approverPinFile?: string };
type AddFlags = KeyFlags & ApproverFlags & { origin?: string[] };

export const addPosKey = (till: Command): void => {
  const keys = till.command('pos-key').description('keys of programs that sell through this till (docs/pos.md)');
  const sub = (words: string, what: string): Command => withTillOptions(keys.command(words).description(what));
  withPerson(sub('add <name>', 'make a key; it is told once. A manager approves it by making it'))
    .option('--origin <origin...>', 'web origins whose pages may use it, such as https://pos.example')
    .option('--approved-by <name>', 'the manager who approves it, where somebody else makes it; the PIN is asked for')
    .option('--approver-pin-file <file>', 'a file that holds the approving manager’s PIN, instead')
    .action(addKey);
  withPerson(sub('approve <name>', 'a manager approves a key, or takes over one whose approver has left')).action(
    approve,
  );
  withPerson(sub('remove <name>', 'the key opens nothing from now on')).action(removeKey);
  sub('list', 'which there are, who made them and who approved them').action(listKeys);
};

const keysOf = ({ journal }: Pick<RunningTill, 'journal'>): PosKeys =>
  openPosKeys({ journal, clock: systemClock, random: systemRandom });

const addKey = (name: string, flags: AddFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await personIfKnown(flags, running, 'pairTerminal');
    const approver = await approverOf(flags, running, by);
    const people = { by: by?.name, approvedBy: approver?.name };
    const made = keysOf(running).make({ name, origins: flags.origin ?? [] }, people);
    tell(`The key of ${made.name}. It is shown this once; the till keeps no more than a hash of it.`);
    if (flags.json === true) printJson(running.shown, made);
    else print(made.key);
  });

/** Who approves it. Nobody, as long as nobody is known: such a key is listed until a manager approves it. */
export const approverOf = async (
  { approvedBy, approverPinFile }: ApproverFlags,
  running: Pick<RunningTill, 'staff'>,
  by: Person | undefined,
): Promise<Person | undefined> => {
  if (approvedBy !== undefined) {
    const flags = { as: approvedBy, pinFile: approverPinFile };
    return personOf(flags, running, 'approveKey');
  }
  if (by === undefined || mayDo(by.role, 'approveKey')) return by;
  throw new Fault('posKey.approvalNeeded');
};

const approve = (name: string, flags: KeyFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await personOf(flags, running, 'approveKey');
    keysOf(running).approve(name, by.name);
    if (flags.json === true) printJson(running.shown, { approved: name, by: by.name });
    else tell(`The key of ${name} is approved by ${by.name}.`);
  });

const removeKey = (name: string, flags: KeyFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await personIfKnown(flags, running, 'pairTerminal');
    keysOf(running).remove(name, by?.name);
    if (flags.json === true) printJson(running.shown, { removed: name });
    else tell(`The key of ${name} opens nothing from now on.`);
  });

const listKeys = (flags: KeyFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const rows = keysOf(running).rows(running.staff);
    if (flags.json === true) printJson(running.shown, { keys: rows });
    else if (rows.length === 0) tell('None yet. Make one: npm run till -- pos-key add NAME');
    else for (const row of rows) print(lineOf(row));
    tellOfUnapproved(running);
  });

/** Says which keys no manager stands for; nothing where there are none. */
export const tellOfUnapproved = (running: Pick<RunningTill, 'journal' | 'staff'>): void => {
  const rows = keysOf(running).rows(running.staff);
  const names = rows.flatMap(({ name, state }) => (state === 'unapproved' || state === 'approverLeft' ? [name] : []));
  if (names.length === 0) return;
  tell(`No manager stands for the key of ${names.join(', ')}; programs go on selling with it.`);
  tell('Take each over with pos-key approve NAME --as MANAGER, or end it with pos-key remove NAME.');
};

type Row = ReturnType<PosKeys['rows']>[number];
const lineOf = ({ name, by, approvedBy = '', state, origins }: Row): string => {
  const states = {
    approved: `approved by ${approvedBy}`,
    unapproved: 'not approved yet',
    approverLeft: `approved by ${approvedBy}, who is no manager here any more`,
  };
  const people = [by && `made by ${by}`, state && states[state]].filter(Boolean).join(', ');
  return `${name.padEnd(24)} ${[people, ...origins].filter(Boolean).join('  ')}`.trimEnd();
};
