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
import type { PluggedDevices } from '../../../drivers/links/plugged.ts';
import type { SearchNews, TerminalSearch } from '../../api/contract/devices.ts';
import { Fault } from '../../base/fault.ts';
import { theOne } from './device-identification.ts';

export type SearchParts = {
  plugged(): Promise<PluggedDevices>;
  /** Addresses of this till's own terminals, which need no consent. */
  own: readonly string[];
  /** Does `work` with the tools for this address. */
  at<R>(address: string, work: (tools: ProbeTools) => Promise<R>): Promise<R>;
};

/** `silent`: a sentence for each place without a terminal. `skipped`: places that were not tried without consent. */
export type SearchResult = { found: FoundTerminal[]; silent: string[]; skipped: string[] };

/** Throws `terminal.unknown`, `terminal.protocolMissing` if consent is missing, and `terminal.notFound`. */
export const searchTerminals = async (
  request: TerminalSearch,
  parts: SearchParts,
  notify: (news: SearchNews) => void,
): Promise<SearchResult> => {
  const { asked, skipped } = await candidatesFor(request, parts);
  const all = asked.length;
  const longest = Math.max(0, ...asked.map(({ fits }) => fits.length));
  if (all > 0) notify({ asking: asked.map(({ place }) => place), withinMs: longest * PROBE_WITHIN_MS });
  let done = 0;
  const probed = await Promise.all(
    asked.map(async (candidate) => {
      const one = await parts.at(candidate.fits[0]?.address ?? candidate.place, (tools) =>
        probeAll([candidate], tools),
      );
      done += 1;
      notify({ done, all });
      return one;
    }),
  );
  const each = probed.flat();
  const found = each.flatMap((one) => one.found);
  const silent = each.filter((one) => one.found.length === 0).map(triedWords);
  if (found.length === 0) throw new Fault('terminal.notFound', { why: searchWords(silent) });
  return { found, silent, skipped };
};

export type NamedPlaceParts = {
  clock: ProbeTools['clock'];
  /** The address that the till is paired with. It needs no consent. */
  paired: string | undefined;
  /** Called before the first byte is sent. It throws if a running till may be selling there. */
  untouched(): void;
  /** Whether a person agrees that every protocol is tried at this place. */
  agrees(place: string): Promise<boolean>;
  tell(news: SearchNews): void;
};

/**
 * The full address of the terminal at a place. Undefined without consent. Throws `terminal.unknown`,
 * `terminal.notFound`, `terminal.several`, and what `untouched` throws.
 */
export const addressAt = async (text: string, parts: NamedPlaceParts): Promise<string | undefined> => {
  const { place, fits } = candidateAt(text);
  const [first, another] = fits;
  if (first !== undefined && another === undefined) return first.address;
  if (fits.some(({ address }) => address === parts.paired)) return parts.paired;
  parts.untouched();
  if (!(await parts.agrees(place))) return undefined;
  const nothing: SearchParts = {
    plugged: async () => ({ devices: [], problems: [] }),
    own: [],
    at: (_, work) => work({ clock: parts.clock, report: () => {} }),
  };
  const { found } = await searchTerminals({ places: [text], probe: true }, nothing, parts.tell);
  return theOne(found).address;
};

type Chosen = { asked: Candidate[]; skipped: string[] };

const candidatesFor = async (
  { places = [], probe, everyPort }: TerminalSearch,
  parts: SearchParts,
): Promise<Chosen> => {
  if (places.length > 0) {
    const requests = places.map((place) => ownOr(candidateAt(place), parts));
    const bare = requests.find(({ fits }) => fits.length > 1);
    if (bare !== undefined && probe !== true) throw new Fault('terminal.protocolMissing', { address: bare.place });
    return { asked: requests, skipped: [] };
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
