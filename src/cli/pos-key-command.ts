/** `till pos-key`: keys of programs that sell through this till's local API. A key is told once, and kept as a hash. */
import type { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import { systemRandom } from '../base/ids.ts';
import { openPosKeys, type PosKeys } from '../runtime/desk/pos-keys.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { type PersonFlags, personIfKnown, withPerson } from './person.ts';
import { printJson } from './shown-mode.ts';
import { print, tell } from './terms.ts';
import { type TillFlags, withTill, withTillOptions } from './till-options.ts';

type KeyFlags = TillFlags & PersonFlags & { origin?: string[] };

export const addPosKey = (till: Command): void => {
  const keys = till.command('pos-key').description('keys of programs that sell through this till (docs/pos.md)');
  const sub = (words: string, what: string): Command => withTillOptions(keys.command(words).description(what));
  withPerson(sub('add <name>', 'make a key; it is told once'))
    .option('--origin <origin...>', 'web origins whose pages may use it, such as https://pos.example')
    .action(add);
  withPerson(sub('remove <name>', 'the key opens nothing from now on')).action(remove);
  sub('list', 'which there are').action(list);
};

const keysOf = ({ journal }: RunningTill): PosKeys =>
  openPosKeys({ journal, clock: systemClock, random: systemRandom });

const add = (name: string, flags: KeyFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await personIfKnown(flags, running, 'pairTerminal');
    const made = keysOf(running).make({ name, origins: flags.origin ?? [] }, by?.name);
    tell(`The key of ${made.name}. It is shown this once; the till keeps no more than a hash of it.`);
    if (flags.json === true) printJson(running.shown, made);
    else print(made.key);
  });

const remove = (name: string, flags: KeyFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await personIfKnown(flags, running, 'pairTerminal');
    keysOf(running).remove(name, by?.name);
    if (flags.json === true) printJson(running.shown, { removed: name });
    else tell(`The key of ${name} opens nothing from now on.`);
  });

const list = (flags: KeyFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const rows = keysOf(running).rows();
    if (flags.json === true) printJson(running.shown, { keys: rows });
    else if (rows.length === 0) tell('None yet. Make one: npm run till -- pos-key add NAME');
    else for (const { name, origins } of rows) print(`${name.padEnd(24)} ${origins.join(' ')}`);
  });
