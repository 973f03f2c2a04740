/** Looking for terminals from the command line: everything that is plugged in, or the places that were named. */
import { type Candidate, candidateAt, candidatesOf } from '../../drivers/discovery.ts';
import { type Found, PROBE_WITHIN_MS, probeAll } from '../../drivers/discovery-probe.ts';
import { pluggedIn } from '../../drivers/links/plugged.ts';
import { systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { whatToCheck } from '../runtime/port-check.ts';
import { foundWords, searchWords, showProgress, triedWords } from './terminal-words.ts';
import { tell } from './terms.ts';

export type Search = { places: readonly string[]; everyPort?: true; quiet?: true; report(stray: Fault): void };

/** Candidates at the places named; without any, what is plugged in and may be a terminal. */
const candidates = async ({ places, everyPort, quiet }: Search): Promise<Candidate[]> => {
  if (places.length > 0) return places.map((place) => candidateAt(place));
  const { devices, problems } = await pluggedIn();
  if (quiet !== true) for (const problem of problems) tell(problem);
  return candidatesOf(devices).filter(({ likely }) => likely !== 'unlikely' || everyPort === true);
};

/**
 * Every terminal that answers, with progress for people. Throws `terminal.notFound` when none does, after saying what
 * to check.
 */
export const search = async (wanted: Search): Promise<Found[]> => {
  const asked = await candidates(wanted);
  if (wanted.quiet !== true && asked.length > 0) {
    const longest = Math.max(...asked.map(({ fits }) => fits.length));
    const seconds = (longest * PROBE_WITHIN_MS) / 1_000;
    tell(`Asking ${asked.map(({ place }) => place).join(', ')}; it takes ${seconds} seconds at most.`);
  }
  const probed = await probeAll(asked, { clock: systemClock, report: wanted.report }, ({ done, all }) =>
    showProgress(done, all, 'asked'),
  );
  const found = probed.flatMap(({ found }) => found ?? []);
  if (found.length === 0) {
    if (wanted.quiet !== true) sayWhatToCheck();
    throw new Fault('terminal.notFound', { why: searchWords(probed) });
  }
  if (wanted.quiet !== true) {
    for (const one of found) tell(`Found ${foundWords(one)}, at ${one.address}`);
    for (const none of probed) if (none.found === undefined) tell(`No terminal at ${triedWords(none)}`);
  }
  return found;
};

const sayWhatToCheck = (): void => {
  tell('What to check, in this order:');
  for (const [at, words] of whatToCheck(process.platform).entries()) tell(`  ${at + 1}. ${words}`);
};

/** The one terminal among those found. Throws `terminal.several` with all of them. */
export const theOne = (found: readonly Found[]): Found => {
  const [one, another] = found;
  if (one !== undefined && another === undefined) return one;
  throw new Fault('terminal.several', {
    count: found.length,
    list: found.map((each) => `${each.address} (${foundWords(each)})`).join(', '),
  });
};
