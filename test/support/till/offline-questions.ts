/** Inputs for tests of the offline rules: a suitable card, open limits, a good moment; each can be changed. */
import type { CardFacts } from '../../../src/till/machine/facts.ts';
import type { OfflineVerdict } from '../../../src/till/machine/offline-facts.ts';
import {
  defaultOfflineLimits,
  type KindLimits,
  kindOff,
  noExposure,
  type OfflineFacts,
  type OfflineLimits,
  type OfflineMoment,
  type OfflineTry,
} from '../../../src/till/offline/limits.ts';
import { offlineVerdict } from '../../../src/till/offline/verdict.ts';

export const chip: CardFacts = {
  entryMode: 'ICC',
  maskedPan: '476173******0010',
  aid: 'A0000000031010',
  tvr: '0000000000',
  verification: 'none',
};
export const openKind: KindLimits = { ...kindOff, upToMinor: 5_000n };
export const limits: OfflineLimits = {
  ...defaultOfflineLimits,
  chip: openKind,
  deferred: { ...openKind, upToMinor: 8_000n },
};
export const moment: OfflineMoment = { sinceAnswer: { ms: 0 }, freeBytes: 2 ** 40 };
export const eur = (minor: bigint) => ({ minor, currency: 'EUR' });

export type QuestionParts = { ask?: Partial<OfflineTry>; facts?: Partial<OfflineFacts> };

export const verdictOn = ({ ask = {}, facts = {} }: QuestionParts): OfflineVerdict =>
  offlineVerdict(
    { operation: 'sale', amount: eur(100n), card: chip, ...ask },
    { limits, exposure: noExposure, moment, ...facts },
  );

/** `chip deferred`, or the code and the text. */
export const summaryOf = (verdict: OfflineVerdict): string => {
  if (verdict.kind === 'refused') return `${verdict.code}: ${verdict.why}`;
  const ways = [verdict.chip && 'chip', verdict.deferred && 'deferred', verdict.stored && 'stored'];
  return ways.filter(Boolean).join(' ');
};
