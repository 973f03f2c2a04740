/** `till pair` and `till unpair`: find a terminal, get to know it, try it, and sell on it from now on. */
import type { Command } from 'commander';
import { candidateAt, type FoundTerminal } from '../../../drivers/discovery.ts';
import { holdTill, pairToolsOf } from '../../app/stores.ts';
import { systemClock } from '../../base/clock.ts';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';
import { systemIds } from '../../base/ids.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { type Config, hasJournal, loadConfig, MADE_UP_TERMINAL_ID } from '../../folder/config.ts';
import { modeOfFolder } from '../../folder/till-folder.ts';
import { permissionToChange } from '../../staff/running.ts';
import { ms } from '../../terminals/checks/diagnosis.ts';
import { foundWords, theOne } from '../../terminals/pairing/device-meeting.ts';
import { type Met, meet, pair, unpair } from '../../terminals/pairing/pairing.ts';
import { refusalOf } from '../../terminals/terminal-mode.ts';
import { type PersonFlags, personIfKnown, withPerson } from '../person.ts';
import { print, tell } from '../terms.ts';
import { type FolderFlags, folderOf, printJson, withFolder } from '../till-folder.ts';
import { withFolderTill } from '../till-options.ts';
import { search } from './search.ts';
import { ask, canAsk, keyLines, table } from './terminal-words.ts';

type PairFlags = FolderFlags &
  PersonFlags & {
    terminalId?: string;
    swap?: true;
    yes?: true;
    everyPort?: true;
    json?: true;
    verbose?: true;
  };

export const addPair = (till: Command): void => {
  withPerson(withFolder(till.command('pair [address...]')))
    .description('find a terminal, try it, and sell on it; without an address everything plugged in is asked')
    .option('--terminal-id <digits>', 'pos.terminalId: the number the acquirer gave this terminal')
    .option('--swap', 'go on though sales on the terminal before are still open')
    .option('--every-port', 'ask ports of the mainboard too, where printers and scales may listen')
    .option(
      '--yes',
      'ask no questions: a place named without its protocol is asked in each, and a terminal that asks its bank itself is this till’s alone',
    )
    .option('--json', 'print the result as JSON')
    .option('--verbose', 'say what came from the terminal unasked')
    .action(async (places: string[], flags: PairFlags) => {
      if (flags.terminalId !== undefined && !isTerminalId(flags.terminalId)) {
        throw new Fault('command.malformed', { why: `"${flags.terminalId}" is no terminal id: give 1 to 32 digits` });
      }
      const folder = folderOf(flags);
      const config = loadConfig(folder, systemIds);
      // Before the terminal is touched: a running till may be selling on it at this moment.
      holdTill(folder)();
      await refuseUnanswered(folder, flags);
      const met = await getToKnow(await addressOf(places, flags), flags);
      const terminalId = await terminalIdOf(config, flags);
      const alone = await isAlone(met, flags);
      const wishes = { terminalId, swap: flags.swap, alone };
      const paired = pair(met, pairToolsOf(folder, systemClock), wishes);
      const mode = modeOfFolder(folder);
      const refusal = mode && refusalHere(met, mode);
      if (flags.json === true) printJson(mode, { ...pairedJson(met, paired), refused: refusal?.code });
      else show(met, paired, refusal);
    });
};

export const addUnpair = (till: Command): void => {
  withPerson(withFolder(till.command('unpair')))
    .description('forget the paired terminal')
    .option('--swap', 'go on though sales on it are still open')
    .option('--json', 'print the result as JSON')
    .action(async ({ swap, json, ...flags }: FolderFlags & PersonFlags & Pick<PairFlags, 'swap' | 'json'>) => {
      const folder = folderOf(flags);
      await refuseUnanswered(folder, flags);
      const { was, device } = unpair(pairToolsOf(folder, systemClock), swap === true ? { swap } : {});
      if (json === true) return printJson(modeOfFolder(folder), { unpaired: was, device });
      print(`The till has no terminal any more. It was ${device === undefined ? was : `${device.model} at ${was}`}.`);
      tell('Pair another one with: npm run till -- pair');
    });
};

/** Once people are known somebody answers for what the till sells on; a folder without a journal knows nobody. */
const refuseUnanswered = async (folder: string, flags: FolderFlags & PersonFlags): Promise<void> => {
  if (!hasJournal(folder)) return;
  await withFolderTill(flags, (till) => personIfKnown(flags, till, permissionToChange('terminal')));
};

const isTerminalId = (text: string): boolean => /^\d{1,32}$/.test(text);

const reporter =
  ({ verbose }: PairFlags) =>
  (stray: Fault): void => {
    if (verbose === true) tell(stray.message);
  };

/** The one address that was named with its driver, or that of the terminal that a search found. */
const addressOf = async (places: readonly string[], flags: PairFlags): Promise<string> => {
  const [only, another] = places;
  const { yes, json, everyPort } = flags;
  const how = { report: reporter(flags), yes, json, everyPort };
  const fits = only !== undefined && another === undefined ? candidateAt(only).fits : [];
  if (fits[0] !== undefined && fits.length === 1) return fits[0].address;
  const found = await search({ places, ...how });
  const one = found.length > 1 && canAsk(flags) ? await choose(found) : theOne(found);
  return one.address;
};

const choose = async (found: readonly FoundTerminal[]): Promise<FoundTerminal> => {
  for (const [at, one] of found.entries()) tell(`  ${at + 1}  ${foundWords(one)}  ${one.address}`);
  const isGood = (text: string) => /^\d{1,3}$/.test(text) && found[Number(text) - 1] !== undefined;
  const answer = await ask('Which one?', { suggestion: '1', isGood });
  return found[Number(answer) - 1] ?? theOne(found);
};

/** Nothing was sold: that the terminal fell silent says nothing of money here. */
const getToKnow = async (address: string, flags: PairFlags): Promise<Met> => {
  if (flags.json !== true) tell(`Getting to know the terminal at ${address}`);
  try {
    return await meet(address, { clock: systemClock, report: reporter(flags) });
  } catch (error) {
    if (!isFault(error) || error.remedy !== 'inquire') throw error;
    throw new Fault('terminal.notFound', { why: `${address}: ${wordsOf(error)}` }, error);
  }
};

/** The one given; else the configured one, which a person is asked about while it is the made-up one. */
const terminalIdOf = async ({ terminalId }: Config, flags: PairFlags): Promise<string> => {
  if (flags.terminalId !== undefined) return flags.terminalId;
  if (terminalId !== MADE_UP_TERMINAL_ID || !canAsk(flags)) return terminalId;
  return ask('Terminal id, as the acquirer gave it (1 to 32 digits)?', {
    suggestion: terminalId,
    isGood: isTerminalId,
  });
};

/** Of a terminal that asks its bank itself: whether a person says that nobody else sells on it. */
const isAlone = async ({ kind, title }: Met, flags: PairFlags): Promise<true | undefined> => {
  if (kind !== 'integrated' || flags.yes === true) return flags.yes;
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

/** Just paired, no manager can have said that it is at a test host. */
const refusalHere = ({ info, kind }: Met, mode: DisplayMode): Fault | undefined =>
  refusalOf(info, { mode: mode === 'live' ? 'live' : 'test', integrated: kind === 'integrated', testHost: false });

const show = (met: Met, { terminalId, device }: Config, refusal: Fault | undefined): void => {
  const { info, health, keys, kind, echoMs, problems } = met;
  const battery = health?.batteryPercent === undefined ? [] : [`battery ${health.batteryPercent} %`];
  const lines = table([
    ['Terminal', foundWords(met)],
    ['Address', met.address],
    ['Firmware', info.firmware || 'unknown'],
    ['Keys', keyLines(kind === 'integrated' ? undefined : (keys ?? []))],
    ['Health', [...(health?.ok === true ? ['all well'] : (health?.problems ?? ['not told'])), ...battery].join(', ')],
    ['Test', `${echoMs.length} of ${echoMs.length} questions answered, within ${ms(Math.max(...echoMs))}`],
    ['Terminal id', terminalId],
    ['Paired', `${device?.pairedAt ?? ''} UTC`],
  ]);
  for (const line of lines) print(line);
  for (const problem of problems) tell(problem);
  if (terminalId === MADE_UP_TERMINAL_ID) {
    tell(
      `Terminal id ${terminalId} is made up. Give the acquirer’s: npm run till -- pair ${met.address} --terminal-id …`,
    );
  }
  if (refusal === undefined)
    tell('The till sells on this terminal now. Take a payment with: npm run till -- sell 12.50');
  else tell(`It is paired, but nothing is sold on it yet. ${refusal.message}. ${refusal.next}`);
};

const pairedJson = (met: Met, { terminal, terminalId, device }: Config) => ({
  paired: { address: terminal, 'pos.terminalId': terminalId, ...device },
  kind: met.kind,
  keys: met.keys,
  health: met.health,
  problems: met.problems,
  echoMs: met.echoMs,
});
