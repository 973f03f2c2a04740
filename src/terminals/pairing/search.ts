/** Searches for terminals: at given places, or at everything plugged in that may be one. */
import {
  type Candidate,
  candidateAt,
  candidatesOf,
  type FoundTerminal,
  PROBE_WITHIN_MS,
  type Probed,
  type ProbeTools,
  probeAll,
} from '../../../drivers/discovery.ts';
import type { PluggedIn } from '../../../drivers/links/plugged.ts';
import type { SearchNews, SearchWish } from '../../api/contract/devices.ts';
import { Fault } from '../../base/fault.ts';

export type SearchParts = {
  plugged(): Promise<PluggedIn>;
  /** Addresses of this till's own terminals, which need no consent. */
  own: readonly string[];
  /** Does `work` with the tools for this address. */
  at<R>(address: string, work: (tools: ProbeTools) => Promise<R>): Promise<R>;
};

/** `silent`: a sentence for each place without a terminal. `skipped`: places that were not tried without consent. */
export type Searched = { found: FoundTerminal[]; silent: string[]; skipped: string[] };

/** Throws `terminal.unknown`, `terminal.protocolMissing` if consent is missing, and `terminal.notFound`. */
export const searchTerminals = async (
  wish: SearchWish,
  parts: SearchParts,
  tell: (news: SearchNews) => void,
): Promise<Searched> => {
  const { asked, skipped } = await candidatesFor(wish, parts);
  const all = asked.length;
  const longest = Math.max(0, ...asked.map(({ fits }) => fits.length));
  if (all > 0) tell({ asking: asked.map(({ place }) => place), withinMs: longest * PROBE_WITHIN_MS });
  let done = 0;
  const probed = await Promise.all(
    asked.map(async (candidate) => {
      const one = await parts.at(candidate.fits[0]?.address ?? candidate.place, (tools) =>
        probeAll([candidate], tools),
      );
      done += 1;
      tell({ done, all });
      return one;
    }),
  );
  const each = probed.flat();
  const found = each.flatMap((one) => one.found);
  const silent = each.filter((one) => one.found.length === 0).map(triedWords);
  if (found.length === 0) throw new Fault('terminal.notFound', { why: searchWords(silent) });
  return { found, silent, skipped };
};

type Chosen = { asked: Candidate[]; skipped: string[] };

const candidatesFor = async ({ places = [], probe, everyPort }: SearchWish, parts: SearchParts): Promise<Chosen> => {
  if (places.length > 0) {
    const asked = places.map((place) => ownOr(candidateAt(place), parts));
    const bare = asked.find(({ fits }) => fits.length > 1);
    if (bare !== undefined && probe !== true) throw new Fault('terminal.protocolMissing', { address: bare.place });
    return { asked, skipped: [] };
  }
  const { devices } = await parts.plugged();
  const plugged = candidatesOf(devices).filter(({ likely }) => everyPort === true || likely !== 'unlikely');
  const [sure, unsure] = [plugged.filter(isKnown), plugged.filter((one) => !isKnown(one))];
  if (probe === true) return { asked: plugged.map((one) => ownOr(one, parts)), skipped: [] };
  return { asked: sure.map((one) => ownOr(one, parts)), skipped: unsure.map(({ place }) => place) };
};

const isKnown = ({ likely }: Candidate): boolean => likely === 'known';

/** The till's own terminal is tried only with the protocol that it was paired with. */
const ownOr = (candidate: Candidate, { own }: SearchParts): Candidate => {
  const ours = candidate.fits.filter(({ address }) => own.includes(address));
  return ours.length > 0 ? { ...candidate, fits: ours } : candidate;
};

/** Why no terminal was found at a place: one reason for each driver. */
const triedWords = ({ candidate, tried }: Probed): string => {
  const each = tried.map(({ address, why }) => `${address.replace(/\+.*$/s, '')}: ${why.message}`);
  return `${candidate.place} (${each.join('; ')})`;
};

const searchWords = (silent: readonly string[]): string =>
  silent.length === 0
    ? 'nothing that may be a terminal is plugged in'
    : `${silent.length} place${silent.length === 1 ? '' : 's'} asked: ${silent.join(', ')}`;
