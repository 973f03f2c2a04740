/** `till staff`: who works at this till, and as what. The first manager is added by whoever sets the till up. */
import type { Command } from 'commander';
import { Fault } from '../base/fault.ts';
import { isRole, type Role, roles } from '../staff/running.ts';
import { askHidden, hiddenIn } from './hidden-input.ts';
import { type PersonFlags, personIfKnown, personOf, withPerson } from './person.ts';
import { tellOfUnapproved } from './pos-key-command.ts';
import { printJson } from './shown-mode.ts';
import { print, tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

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
