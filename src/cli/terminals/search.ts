/** Searches for terminals from the command line, and asks for the consent that unknown places need. */
import { candidateAt } from '../../../drivers/discovery.ts';
import type { SearchAnswer, SearchNews } from '../../api/contract/devices.ts';
import { systemClock } from '../../base/clock.ts';
import { type Fault, isFault } from '../../base/fault.ts';
import { whatToCheck } from '../../terminals/checks/port-check.ts';
import { describeFound, onlyOne } from '../../terminals/pairing/device-identification.ts';
import { addressAt, type NamedPlaceParts } from '../../terminals/pairing/search.ts';
import { type TillApi, unwrap, unwrapLines } from '../api-client.ts';
import { malformed } from '../arguments.ts';
import { isWanted, type QuestionFlags } from '../questions.ts';
import { type ProgressBar, progressBar, tell } from '../terms.ts';

export type SearchFlags = QuestionFlags & { everyPort?: true };
type FoundRow = SearchAnswer['found'][number];

/**
 * Every terminal that answers at these places, or at everything plugged in if there are none. Throws
 * `command.malformed` if consent is missing, and `terminal.notFound` after printing what to check.
 */
export const search = async (api: TillApi, places: readonly string[], flags: SearchFlags): Promise<SearchAnswer> => {
  const { json, everyPort } = flags;
  const hear = searchNews(flags);
  const run = (probe: boolean) => {
    const wish = { places: places.length === 0 ? undefined : [...places], probe, everyPort };
    return unwrapLines<SearchNews, SearchAnswer>(api.devices.search.$post({ json: wish }), hear);
  };
  const answer = await orSayWhatToCheck(flags, async () =>
    places.length === 0 ? run(await isAgreedForPlugged(api, flags)) : withYes(flags, run),
  );
  if (json === true) return answer;
  for (const one of answer.found) tell(`Found ${rowWords(one)}, at ${one.address}`);
  for (const words of answer.silent) tell(`No terminal at ${words}`);
  if (answer.skipped.length > 0) tell(`Not asked without a yes: ${answer.skipped.join(', ')}.`);
  return answer;
};

const infoOf = ({ model = '', serial = '' }: FoundRow) => ({ model, serial, firmware: '' });

export const rowWords = (row: FoundRow): string => describeFound({ title: row.title, info: infoOf(row) });

/** The only terminal found. Throws `terminal.several`, which lists them. */
export const oneOf = (found: readonly FoundRow[]): FoundRow =>
  onlyOne(found.map((row) => ({ ...row, info: infoOf(row) })));

const searchNews = ({ json }: QuestionFlags) => {
  let bar: ProgressBar | undefined;
  return (news: SearchNews): void => {
    if (json === true) return;
    if ('asking' in news) {
      tell(`Asking ${news.asking.join(', ')}; it takes ${news.withinMs / 1_000} seconds at most.`);
      return;
    }
    bar ??= progressBar(news.all);
    bar.at(news.done);
    if (news.done === news.all) bar.end();
  };
};

/** Prints what to check if no terminal answers, and throws the fault on. */
export const orSayWhatToCheck = async <T>({ json }: QuestionFlags, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!isFault(error, 'terminal.notFound') || json === true) throw error;
    tell('What to check, in this order:');
    for (const [at, words] of whatToCheck(process.platform).entries()) tell(`  ${at + 1}. ${words}`);
    throw error;
  }
};

// Consent to try every protocol at a place, where the device may not be a terminal.

const questionAt = (places: string, toAdd: string) => ({
  question: 'Is a card terminal there, and may it be asked?',
  toAdd,
  know: `Finding out the protocol means saying hello at ${places} in each one, until something answers. No hello starts a payment, but a printer, a scale or another device there gets bytes that are not for it.`,
});

const ADD_YES = 'To have the protocol found out, add --yes.';

/**
 * Does `work` with the consent that `--yes` gives, or that a person is asked for. Throws `command.malformed` without
 * consent, with the full addresses to choose from.
 */
export const withYes = async <T>(flags: QuestionFlags, work: (probe: boolean) => Promise<T>): Promise<T> => {
  try {
    return await work(flags.yes === true);
  } catch (error) {
    if (!isFault(error, 'terminal.protocolMissing')) throw error;
    const place = String(error.facts['address']);
    if (await isWanted(flags, questionAt(place, ADD_YES))) return work(true);
    throw addressMissing(place, 'add --yes, or ');
  }
};

const addressMissing = (text: string, add: string): Fault => {
  const { place, fits } = candidateAt(text);
  const full = fits.map(({ address }) => address);
  const why = `${place} names no protocol, and nothing was sent there without a yes: ${add}give the address in full, one of ${full.join(', ')}`;
  return malformed(why);
};

/** Whether plugged-in devices that match no driver may be tried too. */
const isAgreedForPlugged = async (api: TillApi, flags: SearchFlags): Promise<boolean> => {
  const { candidates, problems } = await unwrap(api.devices.plugged.$get());
  if (flags.json !== true) for (const problem of problems) tell(problem);
  const unsure = candidates.filter(
    ({ likely }) => likely === 'perhaps' || (likely === 'unlikely' && flags.everyPort === true),
  );
  if (unsure.length === 0) return false;
  const places = unsure.map(({ place, address }) => place ?? address).join(', ');
  return isWanted(flags, questionAt(places, ADD_YES));
};

/**
 * The full address for `--terminal`, which opens a till. Throws as `addressAt`, and `command.malformed` without
 * consent.
 */
export const addressOfNamed = async (
  text: string,
  { json, ...parts }: Pick<NamedPlaceParts, 'paired' | 'onNotTried'> & { json: true | undefined },
): Promise<string> => {
  const flags = { json };
  const agrees = (place: string) => isWanted(flags, questionAt(place, `${place} was not asked.`));
  const work = () => addressAt(text, { ...parts, clock: systemClock, confirmProbe: agrees, tell: searchNews(flags) });
  const address = await orSayWhatToCheck(flags, work);
  if (address === undefined) throw addressMissing(text, '');
  return address;
};
