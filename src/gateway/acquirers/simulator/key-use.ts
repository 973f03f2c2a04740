/** Replay protection for DUKPT: which uses of which key have been seen, across restarts. */
import type { DecisionFacts } from './decision.ts';
import type { DocumentChange } from './documents.ts';
import type { KeySerial } from './key-serial.ts';
import type { LedgerTransaction } from './ledger.ts';
import { fitOf, markUsed, type Window } from './sliding-window.ts';

/** How many uses back a device's key may lie: records kept offline are forwarded after newer ones. */
export const KEY_WINDOW = 2048;

export type SeenKey = { readonly serial: KeySerial; readonly window: Window | undefined };

export const readKeys = async (
  transaction: Pick<LedgerTransaction, 'read'>,
  serials: readonly KeySerial[],
): Promise<SeenKey[]> => {
  const keys: SeenKey[] = [];
  for (const serial of serials) keys.push({ serial, window: await transaction.read('key', serial.id) });
  return keys;
};

/** `replayed` if any of them was used before, or is too old to tell. */
export const keyUse = (keys: readonly SeenKey[]): DecisionFacts['key'] =>
  keys.every(({ serial, window }) => fitOf(window, serial.use, KEY_WINDOW) === 'fresh') ? 'fresh' : 'replayed';

/** The documents after these uses. One device may encrypt its account data and its PINs under the same initial key. */
export const keysAfter = (keys: readonly SeenKey[]): DocumentChange[] => {
  if (keys.length === 0) return [];
  const windows = new Map<string, Window>();
  for (const { serial, window } of keys) {
    windows.set(serial.id, markUsed(windows.get(serial.id) ?? window, serial.use, KEY_WINDOW));
  }
  return [...windows].map(([name, document]) => ({ kind: 'key', name, document }));
};
