/** `till pair` and `till unpair`: finds a terminal, tries it, and makes it the one that the till sells on. */
import type { Command } from 'commander';
import type { KeyState } from '../../../drivers/terminal.ts';
import type { DeviceRow, MetDevice, PairedRow, PairingStep } from '../../api/contract/devices.ts';
import { MADE_UP_TERMINAL_ID } from '../../folder/config.ts';
import { printMs } from '../../terminals/checks/diagnosis.ts';
import { type TillApi, unwrap, unwrapLines } from '../api-client.ts';
import { malformed } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import { ask, canAsk } from '../questions.ts';
import { print, tell } from '../terms.ts';
import { printJson } from '../till-folder.ts';
import { folderCommand } from '../till-options.ts';
import { oneOf, orSayWhatToCheck, rowWords, type SearchFlags, search, withYes } from './search.ts';
import { pairedAt } from './terminals.ts';

type PairFlags = ApiFlags & SearchFlags & { terminalId?: string; swap?: true };

export const addPair = (till: Command): void => {
  const says = 'find a terminal, test it and sell on it; without an address, probes everything plugged in';
  folderCommand(till, 'pair [address...]', says)
    .option('--terminal-id <digits>', 'pos.terminalId: the number the acquirer gave this terminal')
    .option('--swap', 'continue although sales on the previous terminal are still open')
    .option('--every-port', 'probe ports of the mainboard too, where printers and scales can be connected')
    .option(
      '--yes',
      'ask no questions: try all protocols at an address without one, and confirm that no other till uses the terminal',
    )
    .option('--verbose', 'print unexpected messages of the terminal')
    .action(pairWith);
};

const pairWith = async (places: string[], flags: PairFlags): Promise<void> => {
  if (flags.terminalId !== undefined && !isTerminalId(flags.terminalId))
    throw malformed(`"${flags.terminalId}" is not a terminal id: use 1 to 32 digits`);
  // The steps contain the unexpected messages, so the till itself does not print them too.
  await withTillApi({ ...flags, verbose: undefined }, async ({ api, shown, state }) => {
    const met = await meet(api, await placeIn(places, api, flags), flags);
    const terminalId = await terminalIdOf(state, flags);
    const json = { address: met.address, terminalId, swap: flags.swap, alone: await isAlone(met, flags) };
    const paired = await unwrap(api.devices.$post({ json }));
    if (flags.json === true) printJson(shown, pairedJson(met, paired));
    else showPaired(met, paired);
  });
};

export const addUnpair = (till: Command): void => {
  folderCommand(till, 'unpair', 'forget the paired terminal')
    .option('--swap', 'continue although sales on it are still open')
    .action((flags: PairFlags) =>
      withTillApi(flags, async ({ api, show }) => {
        const { address, written: device } = (await pairedAt({ api }, 'T1')) ?? {};
        const query = flags.swap === true ? { swap: 'true' } : {};
        await unwrap(api.devices[':counter'].$delete({ param: { counter: 'T1' }, query }));
        const was = device === undefined ? address : `${device.model} at ${address}`;
        show({
          json: { unpaired: address, device },
          plain: [`The till has no terminal any more. It was ${was}.`],
          says: 'Pair another one with: npm run till -- pair',
        });
      }),
    );
};

const isTerminalId = (text: string): boolean => /^\d{1,32}$/.test(text);

/** The only place on the command line, or else the address of the terminal that a search finds. */
const placeIn = async (places: readonly string[], api: TillApi, flags: PairFlags): Promise<string> => {
  const [only, another] = places;
  if (only !== undefined && another === undefined) return only;
  const { found } = await search(api, places, flags);
  return (found.length > 1 && canAsk(flags) ? await choose(found) : oneOf(found)).address;
};

const choose = async (found: readonly DeviceRow[]): Promise<DeviceRow> => {
  for (const [at, one] of found.entries()) tell(`  ${at + 1}  ${rowWords(one)}  ${one.address}`);
  const isGood = (text: string) => /^\d{1,3}$/.test(text) && found[Number(text) - 1] !== undefined;
  const answer = await ask('Which one?', { suggestion: '1', isGood });
  return found[Number(answer) - 1] ?? oneOf(found);
};

const meet = (api: TillApi, address: string, flags: PairFlags): Promise<MetDevice> =>
  withYes(flags, (probe) => {
    let isAnnounced = flags.json === true;
    const hear = ({ strays = [] }: PairingStep): void => {
      if (!isAnnounced) tell(`Identifying the terminal at ${address}`);
      isAnnounced = true;
      if (flags.verbose === true) for (const stray of strays) tell(`? ${stray}`);
    };
    const work = () => unwrapLines<PairingStep, MetDevice>(api.devices.meet.$post({ json: { address, probe } }), hear);
    return probe ? orSayWhatToCheck(flags, work) : work();
  });

/** The number from `--terminal-id`. A person is asked while the till's number is made up; otherwise it stays. */
const terminalIdOf = async ({ shop }: CommandSession['state'], flags: PairFlags): Promise<string | undefined> => {
  if (flags.terminalId !== undefined) return flags.terminalId;
  if (shop.terminalId !== MADE_UP_TERMINAL_ID || !canAsk(flags)) return undefined;
  return ask('Terminal id, as the acquirer gave it (1 to 32 digits)?', {
    suggestion: shop.terminalId,
    isGood: isTerminalId,
  });
};

/** Whether a person confirms that no other till sells on this terminal, if it asks its bank itself. */
const isAlone = async ({ asksBank, title }: MetDevice, flags: PairFlags): Promise<true | undefined> => {
  if (asksBank !== true || flags.yes === true) return flags.yes;
  if (!canAsk(flags)) return undefined;
  tell(`A ${title} terminal belongs to one till. With a second register on it, a payment could be booked twice, or`);
  tell('another customer’s be taken back.');
  const isGood = (text: string) => /^(yes|no)$/i.test(text);
  const answer = await ask('Does no other till or register sell on this terminal? (yes or no)', {
    suggestion: 'no',
    isGood,
  });
  return /^yes$/i.test(answer) ? true : undefined;
};

const showPaired = (met: MetDevice, { terminalId = '', pairedAt: at = '', refused }: PairedRow): void => {
  const { health, keys, asksBank, echoMs } = met;
  const battery = health?.batteryPercent === undefined ? [] : [`battery ${health.batteryPercent} %`];
  const lines = table([
    ['Terminal', rowWords(met)],
    ['Address', met.address],
    ['Firmware', met.firmware || 'unknown'],
    ['Keys', keyLines(asksBank === true ? undefined : (keys ?? []))],
    ['Health', [...(health?.ok === true ? ['all well'] : (health?.problems ?? ['not told'])), ...battery].join(', ')],
    ['Test', `${echoMs.length} of ${echoMs.length} questions answered, within ${printMs(Math.max(...echoMs))}`],
    ['Terminal id', terminalId],
    ['Paired', `${at} UTC`],
  ]);
  for (const line of lines) print(line);
  for (const problem of problemsOf(met)) tell(problem);
  if (terminalId === MADE_UP_TERMINAL_ID)
    tell(
      `Terminal id ${terminalId} is made up. Give the acquirer’s: npm run till -- pair ${met.address} --terminal-id …`,
    );
  if (refused === undefined)
    tell('The till sells on this terminal now. Take a payment with: npm run till -- sell 12.50');
  else tell(`It is paired, but nothing is sold on it yet. ${refused.says}. ${refused.next}`);
};

/** The questions that the terminal refused. Problems of its health are in a separate line. */
const problemsOf = ({ problems, health }: MetDevice): string[] =>
  problems.filter((one) => health?.problems.includes(one) !== true);

const pairedJson = (met: MetDevice, { address, terminalId, written, refused }: PairedRow) => ({
  paired: { address, 'pos.terminalId': terminalId, ...written },
  kind: met.asksBank === true ? 'integrated' : 'reader',
  keys: met.keys,
  health: met.health,
  problems: problemsOf(met),
  echoMs: met.echoMs,
  refused: refused?.code,
});

/** Names and values in two columns. The second line of a value stands below its first. */
const table = (rows: readonly (readonly [name: string, value: string | readonly string[]])[]): string[] => {
  const wide = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, value]) =>
    [value].flat().map((line, at) => `${(at === 0 ? name : '').padEnd(wide)}  ${line}`.trimEnd()),
  );
};

const uses = { sred: 'card data', pin: 'PIN', mac: 'message checks' } as const;

/** Wide enough for `message checks, slot 2009`. */
const keyPlace = 25;

/** `card data  ready  FFFF9876543210E00001  1,048,570 uses left`. */
const keyLines = (keys: readonly KeyState[] | undefined): string[] => {
  if (keys === undefined) return ['in the terminal, which asks its own bank'];
  if (keys.length === 0) return ['it reports none'];
  return keys.map(({ use, slot, ksn, usesLeft, ready }) => {
    const parts = [
      `${uses[use]}${slot === undefined ? '' : `, slot ${slot}`}`.padEnd(keyPlace),
      (ready ? 'ready' : 'MISSING').padEnd(7),
      ksn ?? '',
      usesLeft === undefined ? '' : `${usesLeft.toLocaleString('en-US')} uses left`,
    ];
    return parts
      .filter((part) => part !== '')
      .join('  ')
      .trimEnd();
  });
};
