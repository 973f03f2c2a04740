/** Terminals that answered when a place was asked: in words, and the one that is meant. */
import type { FoundTerminal } from '../../../drivers/discovery-probe.ts';
import { Fault } from '../../base/fault.ts';

/** `Miura MPI · M020, serial number 01020304`. */
export const foundWords = ({ title, info }: Pick<FoundTerminal, 'title' | 'info'>): string =>
  `${title} · ${info.model}, serial number ${info.serial || 'unknown'}`;

/** The one terminal among those found. Throws `terminal.several` with all of them. */
export const theOne = <T extends Pick<FoundTerminal, 'address' | 'title' | 'info'>>(found: readonly T[]): T => {
  const [one, another] = found;
  if (one !== undefined && another === undefined) return one;
  throw new Fault('terminal.several', {
    count: found.length,
    list: found.map((each) => `${each.address} (${foundWords(each)})`).join(', '),
  });
};
