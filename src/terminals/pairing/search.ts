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
import { onlyOne } from './device-identification.ts';

export type SearchParts = {
  plugged(): Promise<PluggedDevices>;
  /** Addresses of this till's own terminals, which need no consent. */
  own: readonly string[];
  /** Does `work` with the tools for this address. */
  withTools<R>(address: string, work: (tools: ProbeTools) => Promise<R>): Promise<R>;
};

/** `silent`: a sentence for each place without a terminal. `skipped`: places that were not tried without consent. */
export type SearchResult = { found: FoundTerminal[]; silent: string[]; skipped: string[] };

/** Throws `terminal.unknown`, `terminal.protocolMissing` if consent is missing, and `terminal.notFound`. */
export const searchTerminals = async (
  request: TerminalSearch,
  parts: SearchParts,
  notify: (progress: SearchNews) => void,
): Promise<SearchResult> => {
  const { candidates, skipped } = await candidatesFor(request, parts);
  const all = candidates.length;
  const longest = Math.max(0, ...candidates.map(({ fits }) => fits.length));
  if (all > 0) notify({ asking: candidates.map(({ place }) => place), withinMs: longest * PROBE_WITHIN_MS });
  let doneCount = 0;
  const probed = await Promise.all(
    candidates.map(async (candidate) => {
      const result = await parts.withTools(candidate.fits[0]?.address ?? candidate.place, (tools) =>
        probeAll([candidate], tools),
      );
      doneCount += 1;
      notify({ done: doneCount, all });
      return result;
    }),
  );
  const results = probed.flat();
  const found = results.flatMap((result) => result.found);
  const silent = results.filter((result) => result.found.length === 0).map(describeTried);
  if (found.length === 0) throw new Fault('terminal.notFound', { why: searchWords(silent) });
  return { found, silent, skipped };
};

export type NamedPlaceParts = {
  clock: ProbeTools['clock'];
  /** The address that the till is paired with. It needs no consent. */
  paired: string | undefined;
  /** Called before the first byte is sent. It throws if a running till may be selling there. */
  onNotTried(): void;
  /** Whether a person agrees that every protocol is tried at this place. */
  confirmProbe(place: string): Promise<boolean>;
  tell(progress: SearchNews): void;
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
  parts.onNotTried();
  if (!(await parts.confirmProbe(place))) return undefined;
  const nothing: SearchParts = {
    plugged: async () => ({ devices: [], problems: [] }),
    own: [],
    withTools: (_, work) => work({ clock: parts.clock, report: () => {} }),
  };
  const { found } = await searchTerminals({ places: [text], probe: true }, nothing, parts.tell);
  return onlyOne(found).address;
};

type Chosen = { candidates: Candidate[]; skipped: string[] };

const candidatesFor = async (
  { places = [], probe, everyPort }: TerminalSearch,
  parts: SearchParts,
): Promise<Chosen> => {
  if (places.length > 0) {
    const requests = places.map((place) => preferOwn(candidateAt(place), parts));
    const incomplete = requests.find(({ fits }) => fits.length > 1);
    if (incomplete !== undefined && probe !== true)
      throw new Fault('terminal.protocolMissing', { address: incomplete.place });
    return { candidates: requests, skipped: [] };
  }
  const { devices } = await parts.plugged();
  const plugged = candidatesOf(devices).filter(({ likely }) => everyPort === true || likely !== 'unlikely');
  const [sure, unsure] = [plugged.filter(isKnown), plugged.filter((result) => !isKnown(result))];
  if (probe === true) return { candidates: plugged.map((result) => preferOwn(result, parts)), skipped: [] };
  return { candidates: sure.map((result) => preferOwn(result, parts)), skipped: unsure.map(({ place }) => place) };
};

const isKnown = ({ likely }: Candidate): boolean => likely === 'known';

/** The till's own terminal is tried only with the protocol that it was paired with. */
const preferOwn = (candidate: Candidate, { own }: SearchParts): Candidate => {
  const ownFits = candidate.fits.filter(({ address }) => own.includes(address));
  return ownFits.length > 0 ? { ...candidate, fits: ownFits } : candidate;
};

/** Why no terminal was found at a place: one reason for each driver. */
const describeTried = ({ candidate, tried }: Probed): string => {
  const attempts = tried.map(({ address, why }) => `${address.replace(/\+.*$/s, '')}: ${why.message}`);
  return `${candidate.place} (${attempts.join('; ')})`;
};

const searchWords = (silent: readonly string[]): string =>
  silent.length === 0
    ? 'nothing that may be a terminal is plugged in'
    : `${silent.length} place${silent.length === 1 ? '' : 's'} asked: ${silent.join(', ')}`;
