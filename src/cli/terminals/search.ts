/** Looking for terminals from the command line: everything that is plugged in, or the places that were named. */
import {
  type Candidate,
  candidateAt,
  candidatesOf,
  type FoundTerminal,
  PROBE_WITHIN_MS,
  probeAll,
} from '../../../drivers/discovery.ts';
import { pluggedIn } from '../../../drivers/links/plugged.ts';
import { systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { unlistedMessage } from '../../locales/messages/en/machine.ts';
import { whatToCheck } from '../../terminals/checks/port-check.ts';
import { foundWords, theOne } from '../../terminals/pairing/device-meeting.ts';
import { tell } from '../terms.ts';
import { isWanted, searchWords, showProgress, triedWords } from './terminal-words.ts';

export type Search = ProbeFlags & { places: readonly string[]; everyPort?: true; report?(stray: Fault): void };

/** Candidates at the places named, else what is plugged in and may be a terminal; with a yes where one is due. */
const candidates = async ({ places, everyPort, ...flags }: Search): Promise<Candidate[]> => {
  if (places.length > 0) {
    const named = places.map((place) => candidateAt(place));
    await agreeToProbe(named, flags);
    return named;
  }
  const { devices, problems } = await pluggedIn();
  if (flags.json !== true) for (const problem of problems) tell(unlistedMessage(problem).says);
  const plugged = candidatesOf(devices);
  if (everyPort === true) return plugged;
  return agreedAmong(
    plugged.filter(({ likely }) => likely !== 'unlikely'),
    flags,
  );
};

/**
 * Every terminal that answers, with progress for people. Throws `command.malformed` where a yes is missing, and
 * `terminal.notFound` when no terminal answers, after saying what to check.
 */
export const search = async (wanted: Search): Promise<FoundTerminal[]> => {
  const { json, report = () => {} } = wanted;
  const asked = await candidates(wanted);
  if (json !== true && asked.length > 0) {
    const longest = Math.max(...asked.map(({ fits }) => fits.length));
    const seconds = (longest * PROBE_WITHIN_MS) / 1_000;
    tell(`Asking ${asked.map(({ place }) => place).join(', ')}; it takes ${seconds} seconds at most.`);
  }
  const probed = await probeAll(asked, { clock: systemClock, report }, ({ done, all }) =>
    showProgress(done, all, 'asked'),
  );
  const found = probed.flatMap((one) => one.found);
  if (found.length === 0) {
    if (json !== true) sayWhatToCheck();
    throw new Fault('terminal.notFound', { why: searchWords(probed) });
  }
  if (json !== true) {
    for (const one of found) tell(`Found ${foundWords(one)}, at ${one.address}`);
    for (const none of probed) if (none.found.length === 0) tell(`No terminal at ${triedWords(none)}`);
  }
  return found;
};

const sayWhatToCheck = (): void => {
  tell('What to check, in this order:');
  for (const [at, words] of whatToCheck(process.platform).entries()) tell(`  ${at + 1}. ${words}`);
};

/**
 * The full address of the terminal that a person named: as it is written, the paired one's where it is that place, or
 * found out after a yes. `untouched` is called before anything is asked: a till that runs may be selling there. Throws
 * `terminal.unknown`, `terminal.several`, and as `search`.
 */
export const addressOfNamed = async (
  text: string,
  { paired, untouched, ...flags }: Omit<Search, 'places'> & { paired: string | undefined; untouched(): void },
): Promise<string> => {
  const { fits } = candidateAt(text);
  const [first, another] = fits;
  if (first !== undefined && another === undefined) return first.address;
  if (paired !== undefined && fits.some(({ address }) => address === paired)) return paired;
  untouched();
  return theOne(await search({ ...flags, places: [text] })).address;
};

// A yes before a place is asked in every protocol: what is there may be no terminal at all.

/** `noYes`: the command has no `--yes`. */
type ProbeFlags = { yes?: true; json?: true; noYes?: true };

const isBare = ({ fits }: Candidate): boolean => fits.length > 1;
const placesIn = (candidates: readonly Candidate[]): string => candidates.map(({ place }) => place).join(', ');

const isAgreed = (bare: readonly Candidate[], flags: ProbeFlags): Promise<boolean> => {
  const toAdd =
    flags.noYes === true ? `${placesIn(bare)} was not asked.` : 'To have the protocol found out, add --yes.';
  const know = `Finding out the protocol means saying hello at ${placesIn(bare)} in each one, until something answers. No hello starts a payment, but a printer, a scale or another device there gets bytes that are not for it.`;
  return isWanted(flags, { question: 'Is a card terminal there, and may it be asked?', toAdd, know });
};

/**
 * Asks a person, or takes `--yes` for it, where a place is named without its protocol. Throws `command.malformed` with
 * the addresses to write in full when nobody agrees; nothing has been opened then.
 */
const agreeToProbe = async (candidates: readonly Candidate[], flags: ProbeFlags): Promise<void> => {
  const bare = candidates.filter(isBare);
  const [first] = bare;
  if (first === undefined || (await isAgreed(bare, flags))) return;
  const full = first.fits.map(({ address }) => address).join(', ');
  const add = flags.noYes === true ? '' : 'add --yes, or ';
  throw new Fault('command.malformed', {
    why: `${placesIn(bare)} names no protocol, and nothing was sent there without a yes: ${add}give the address in full, one of ${full}`,
  });
};

/** Of what is plugged in: those whose USB ids belong to a driver, and the others where a person, or `--yes`, agrees. */
const agreedAmong = async (plugged: readonly Candidate[], flags: ProbeFlags): Promise<Candidate[]> => {
  const unsure = plugged.filter(({ likely }) => likely !== 'known');
  if (unsure.length === 0 || (await isAgreed(unsure, flags))) return [...plugged];
  if (flags.json !== true) tell(`Not asked without a yes: ${placesIn(unsure)}.`);
  return plugged.filter(({ likely }) => likely === 'known');
};
