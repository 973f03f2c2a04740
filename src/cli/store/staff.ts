/** `till staff` and `till pos-key`: people who work at this till, and keys of programs that sell through it. */
import type { Command } from 'commander';
import { isRole, type Role, roles } from '../../api/contract/roles.ts';
import type { PosKeyRow } from '../../api/contract/store.ts';
import { Fault } from '../../base/fault.ts';
import { type TillApi, unwrap } from '../api-client.ts';
import { malformed } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { askHidden, hiddenIn } from '../hidden-input.ts';
import { signInOf } from '../person.ts';
import { tell } from '../terms.ts';
import { tillCommand } from '../till-options.ts';

type NewPinFlags = ApiFlags & { newPinFile?: string };

export const addStaff = (till: Command): void => {
  const staff = till.command('staff').description('who works at this till: cashiers, managers, technicians');
  const sub = (usage: string, says: string): Command => tillCommand(staff, usage, says);
  sub('add <name>', 'add a person; the first one is a manager, and needs no permission')
    .requiredOption('--role <role>', roles.join(', '))
    .option('--new-pin-file <file>', 'a file with the new PIN, instead of asking for it')
    .action(add);
  sub('remove <name>', 'remove a person; what they did stays in the journal').action(remove);
  sub('pin <name>', 'set a new PIN; managers for everybody, and everybody for themselves')
    .option('--new-pin-file <file>', 'a file with the new PIN, instead of asking for it')
    .action(changePin);
  sub('list', 'who is known').action(list);
};

const add = async (name: string, flags: NewPinFlags & { role?: string }): Promise<void> => {
  const role = roleOf(flags.role);
  await withTillApi(flags, async ({ api, show, state }) => {
    if (!state.staffKnown) tell('This till has no people yet: the first manager needs no permission.');
    const fresh = await unwrap(api.staff.$post({ json: { name, role, pin: await newPin(flags, name) } }));
    show({ json: personIn(fresh), says: `${fresh.name} is ${fresh.role} here now.` });
  });
};

const remove = (name: string, flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const gone = await unwrap(api.staff[':name'].$delete({ param: named(name) }));
    show({ json: personIn(gone), says: `${gone.name} can no longer sign in. What they did stays in the journal.` });
    tellOfUnapproved(await unwrap(api['pos-keys'].$get()));
  });

const changePin = (name: string, flags: NewPinFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show, who }) => {
    const pin = await newPin(flags, name);
    const isOwn = who !== undefined && who.name.toLowerCase() === name.toLowerCase();
    const changed = await (isOwn
      ? unwrap(api.session.pin.$put({ json: { current: who.pin, pin } }))
      : unwrap(api.staff[':name'].pin.$put({ param: named(name), json: { pin } })));
    show({ json: personIn(changed), says: `${changed.name} has a new PIN.` });
  });

const list = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const people = await unwrap(api.staff.$get());
    const none = 'Nobody yet. Add the first manager: npm run till -- staff add NAME --role manager';
    show({
      json: { people: people.map(personIn) },
      plain: people.map(({ name, role }) => `${role.padEnd(10)}  ${name}`),
      says: people.length === 0 ? none : [],
    });
  });

const personIn = ({ name, role }: { name: string; role: Role }) => ({ name, role });

const named = (name: string) => ({ name: encodeURIComponent(name) });

const roleOf = (text = ''): Role => {
  if (isRole(text)) return text;
  throw malformed(`--role is ${roles.join(', ')}, not "${text}"`);
};

/** At a terminal the PIN is typed twice, because it is not shown. */
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
  const sub = (usage: string, says: string): Command => tillCommand(keys, usage, says);
  sub('add <name>', 'create a key, which is shown once; a manager who creates it also approves it')
    .option('--origin <origin...>', 'web origins whose pages may use it, such as https://pos.example')
    .option('--approved-by <name>', 'the manager who approves it, if somebody else creates it; asks for the PIN')
    .option('--approver-pin-file <file>', 'a file with the approving manager’s PIN, instead')
    .action(addKey);
  sub('approve <name>', 'a manager approves a key, or takes over one whose approver has left').action(approve);
  sub('remove <name>', 'the key opens nothing from now on').action(removeKey);
  sub('list', 'all keys, who created them and who approved them').action(listKeys);
};

const addKey = (name: string, flags: AddKeyFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show, state }) => {
    const headers = await approvalOf(flags, api, state);
    const made = await unwrap(api['pos-keys'].$post({ json: { name, origins: flags.origin ?? [] } }, { headers }));
    tell(`The key of ${made.name}. It is shown this once; the till keeps no more than a hash of it.`);
    show({ json: made, plain: [made.key] });
  });

/** The approval by `--approved-by`. A person whose role may approve needs none. Throws `posKey.approvalNeeded`. */
const approvalOf = async (
  { approvedBy, approverPinFile }: AddKeyFlags,
  api: TillApi,
  { signedIn }: CommandSession['state'],
): Promise<Record<string, string>> => {
  const approver = await signInOf({ as: approvedBy, pinFile: approverPinFile });
  if (approver !== undefined) {
    const { word } = await unwrap(api.override.$post({ json: { ...approver, permission: 'approveKey' } }));
    return { 'x-override': word };
  }
  if (signedIn?.permissions.includes('approveKey') !== true) throw new Fault('posKey.approvalNeeded');
  return {};
};

const approve = (name: string, flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show, state }) => {
    await unwrap(api['pos-keys'][':name'].approval.$post({ param: named(name) }));
    const by = state.signedIn?.name;
    show({ json: { approved: name, by }, says: `The key of ${name} is approved by ${by}.` });
  });

const removeKey = (name: string, flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    await unwrap(api['pos-keys'][':name'].$delete({ param: named(name) }));
    show({ json: { removed: name }, says: `The key of ${name} opens nothing from now on.` });
  });

const listKeys = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const keys = await unwrap(api['pos-keys'].$get());
    const none = 'None yet. Make one: npm run till -- pos-key add NAME';
    show({ json: { keys }, plain: keys.map(lineOf), says: keys.length === 0 ? none : [] });
    tellOfUnapproved(keys);
  });

/** Warns of keys that no manager has approved, or whose approver has left. */
const tellOfUnapproved = (keys: readonly PosKeyRow[]): void => {
  const names = keys.flatMap(({ name, state }) => (state === 'unapproved' || state === 'approverLeft' ? [name] : []));
  if (names.length === 0) return;
  tell(`No manager has approved the key of ${names.join(', ')}; programs continue to sell with it.`);
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
