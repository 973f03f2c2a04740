/** `till staff` and `till pos-key`: people who work at this till, and keys of programs that sell through it. */
import type { Command } from 'commander';
import { isRole, type Role, roles } from '../../api/contract/roles.ts';
import type { PosKeyRow } from '../../api/contract/store.ts';
import { Fault } from '../../base/fault.ts';
import { got, type TillApi } from '../api-client.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { askHidden, hiddenIn } from '../hidden-input.ts';
import { signInOf, withPerson } from '../person.ts';
import { print, tell } from '../terms.ts';
import { printJson } from '../till-folder.ts';
import { withTillOptions } from '../till-options.ts';

type NewPinFlags = ApiFlags & { newPinFile?: string };

export const addStaff = (till: Command): void => {
  const staff = till.command('staff').description('who works at this till: cashiers, managers, technicians');
  const sub = (words: string, what: string): Command =>
    withPerson(withTillOptions(staff.command(words).description(what)));
  sub('add <name>', 'let somebody in; the first one is a manager, and needs nobody’s leave')
    .requiredOption('--role <role>', roles.join(', '))
    .option('--new-pin-file <file>', 'a file that holds the new PIN, instead of asking for it')
    .action(add);
  sub('remove <name>', 'let somebody in no more; what they did stays in the journal').action(remove);
  sub('pin <name>', 'give somebody a new PIN; managers, and everybody for themselves')
    .option('--new-pin-file <file>', 'a file that holds the new PIN, instead of asking for it')
    .action(changePin);
  sub('list', 'who is known').action(list);
};

const add = async (name: string, flags: NewPinFlags & { role?: string }): Promise<void> => {
  const role = roleOf(flags.role);
  await withTillApi(flags, async ({ api, shown, state }) => {
    if (!state.staffKnown) tell('Nobody is known at this till yet: its first manager needs nobody’s leave.');
    const fresh = await got(api.staff.$post({ json: { name, role, pin: await newPin(flags, name) } }));
    if (flags.json === true) printJson(shown, personIn(fresh));
    else tell(`${fresh.name} is ${fresh.role} here now.`);
  });
};

const remove = (name: string, flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const gone = await got(api.staff[':name'].$delete({ param: named(name) }));
    if (flags.json === true) printJson(shown, personIn(gone));
    else tell(`${gone.name} is not let in any more. What they did stays in the journal.`);
    tellOfUnapproved(await got(api['pos-keys'].$get()));
  });

const changePin = (name: string, flags: NewPinFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown, who }) => {
    const pin = await newPin(flags, name);
    const isOwn = who !== undefined && who.name.toLowerCase() === name.toLowerCase();
    const changed = await (isOwn
      ? got(api.session.pin.$put({ json: { current: who.pin, pin } }))
      : got(api.staff[':name'].pin.$put({ param: named(name), json: { pin } })));
    if (flags.json === true) printJson(shown, personIn(changed));
    else tell(`${changed.name} has a new PIN.`);
  });

const list = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const people = await got(api.staff.$get());
    if (flags.json === true) printJson(shown, { people: people.map(personIn) });
    else if (people.length === 0)
      tell('Nobody yet. Add the first manager: npm run till -- staff add NAME --role manager');
    else for (const { name, role } of people) print(`${role.padEnd(10)}  ${name}`);
  });

const personIn = ({ name, role }: { name: string; role: Role }) => ({ name, role });

/** The name as a path parameter. */
const named = (name: string) => ({ name: encodeURIComponent(name) });

const roleOf = (text = ''): Role => {
  if (isRole(text)) return text;
  throw new Fault('command.malformed', { why: `--role is ${roles.join(', ')}, not "${text}"` });
};

/** Asks twice at a terminal, where the PIN is not shown. */
const newPin = async ({ newPinFile }: NewPinFlags, name: string): Promise<string> => {
  if (newPinFile !== undefined) return hiddenIn(newPinFile);
  const pin = await askHidden(`New PIN for ${name}: `);
  if (process.stdin.isTTY && (await askHidden('Once more: ')) !== pin)
    throw new Fault('staff.pinWeak', { why: 'it was typed differently the second time' });
  return pin;
};

// `till pos-key`: keys for programs that sell through the local API. A key is printed once; only its hash is kept.

type AddKeyFlags = ApiFlags & { origin?: string[]; approvedBy?: string; approverPinFile?: string };

export const addPosKey = (till: Command): void => {
  const keys = till.command('pos-key').description('keys of programs that sell through this till (docs/pos.md)');
  const sub = (words: string, what: string): Command =>
    withPerson(withTillOptions(keys.command(words).description(what)));
  sub('add <name>', 'make a key; it is told once. A manager approves it by making it')
    .option('--origin <origin...>', 'web origins whose pages may use it, such as https://pos.example')
    .option('--approved-by <name>', 'the manager who approves it, where somebody else makes it; the PIN is asked for')
    .option('--approver-pin-file <file>', 'a file that holds the approving manager’s PIN, instead')
    .action(addKey);
  sub('approve <name>', 'a manager approves a key, or takes over one whose approver has left').action(approve);
  sub('remove <name>', 'the key opens nothing from now on').action(removeKey);
  sub('list', 'which there are, who made them and who approved them').action(listKeys);
};

const addKey = (name: string, flags: AddKeyFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown, state }) => {
    const headers = await approvalOf(flags, api, state);
    const made = await got(api['pos-keys'].$post({ json: { name, origins: flags.origin ?? [] } }, { headers }));
    tell(`The key of ${made.name}. It is shown this once; the till keeps no more than a hash of it.`);
    if (flags.json === true) printJson(shown, made);
    else print(made.key);
  });

/** The approval by `--approved-by`. A person whose role may approve needs none. Throws `posKey.approvalNeeded`. */
const approvalOf = async (
  { approvedBy, approverPinFile }: AddKeyFlags,
  api: TillApi,
  { signedIn }: CommandSession['state'],
): Promise<Record<string, string>> => {
  const approver = await signInOf({ as: approvedBy, pinFile: approverPinFile });
  if (approver !== undefined) {
    const { word } = await got(api.override.$post({ json: { ...approver, permission: 'approveKey' } }));
    return { 'x-override': word };
  }
  if (signedIn?.permissions.includes('approveKey') !== true) throw new Fault('posKey.approvalNeeded');
  return {};
};

const approve = (name: string, flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown, state }) => {
    await got(api['pos-keys'][':name'].approval.$post({ param: named(name) }));
    const by = state.signedIn?.name;
    if (flags.json === true) printJson(shown, { approved: name, by });
    else tell(`The key of ${name} is approved by ${by}.`);
  });

const removeKey = (name: string, flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    await got(api['pos-keys'][':name'].$delete({ param: named(name) }));
    if (flags.json === true) printJson(shown, { removed: name });
    else tell(`The key of ${name} opens nothing from now on.`);
  });

const listKeys = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, shown }) => {
    const keys = await got(api['pos-keys'].$get());
    if (flags.json === true) printJson(shown, { keys });
    else if (keys.length === 0) tell('None yet. Make one: npm run till -- pos-key add NAME');
    else for (const row of keys) print(lineOf(row));
    tellOfUnapproved(keys);
  });

/** Warns of keys that no manager has approved, or whose approver has left. */
const tellOfUnapproved = (keys: readonly PosKeyRow[]): void => {
  const names = keys.flatMap(({ name, state }) => (state === 'unapproved' || state === 'approverLeft' ? [name] : []));
  if (names.length === 0) return;
  tell(`No manager stands for the key of ${names.join(', ')}; programs go on selling with it.`);
  tell('Take each over with pos-key approve NAME --as MANAGER, or end it with pos-key remove NAME.');
};

const lineOf = ({ name, by, approvedBy = '', state, origins }: PosKeyRow): string => {
  const states = {
    approved: `approved by ${approvedBy}`,
    unapproved: 'not approved yet',
    approverLeft: `approved by ${approvedBy}, who is no manager here any more`,
  };
  const people = [by && `made by ${by}`, state && states[state]].filter(Boolean).join(', ');
  return `${name.padEnd(24)} ${[people, ...origins].filter(Boolean).join('  ')}`.trimEnd();
};
