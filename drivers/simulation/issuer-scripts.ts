/**
 * Issuer scripts, templates 71 and 72: run in order, stopped at the first failing command (EMV Book 4 section 6.3.9).
 */
import { concat } from '../../src/base/hex.ts';
import { find, findAll, type Tlv } from '../../src/emv/tlv.ts';
import { mark, tsiBits, tvrBits } from './results.ts';
import type { Transaction } from './transaction.ts';

/** Warnings (62, 63) and success let a script go on. */
const goesOn = (status: string): boolean => /^(90|62|63)/.test(status);

/** Five bytes: done (2x) or failed (1x) with the number of the command, then the script's identifier, tag 9F18. */
const runOne = ({ card }: Transaction, script: Tlv): { failed: boolean; result: Uint8Array } => {
  const children = script.children ?? [];
  const id = find(children, '9F18')?.value ?? new Uint8Array(4);
  const failing = findAll(children, '86').findIndex(({ value }) => !goesOn(card.command(value)));
  const failed = failing >= 0;
  const first = failed ? 0x10 | Math.min(failing + 1, 0x0f) : 0x20;
  return { failed, result: concat(Uint8Array.of(first), id) };
};

/** Runs the scripts before (71) or after (72) the final GENERATE AC; results are added to tag 9F5B. */
export const runScripts = (transaction: Transaction, scripts: readonly Tlv[], when: 'before' | 'after'): void => {
  const { values, tvr, tsi } = transaction;
  for (const script of scripts) {
    const { failed, result } = runOne(transaction, script);
    mark(tsi, tsiBits.scriptProcessing);
    if (failed) mark(tvr, when === 'before' ? tvrBits.scriptFailedBefore : tvrBits.scriptFailedAfter);
    values.set('9F5B', concat(values.get('9F5B') ?? new Uint8Array(0), result));
  }
};
