/**
 * Result codes in the gateway's answers: descriptions from the catalogue, and the HTTP status. The meaning of each:
 * src/base.
 */
import { type CodeMeaning, isAccepted, meaningOf, movedNoMoney } from '../../base/code-meanings.ts';
import { codes, isInGroup } from '../../base/result-codes.ts';
import catalogue from './result-codes.json' with { type: 'json' };

export { type CodeMeaning, isAccepted, meaningOf, movedNoMoney };

const byCode = new Map(Object.entries(catalogue));

/** The whole catalogue, for GET /v1/resultcodes. */
export const resultCodes: readonly { code: string; description: string }[] = [...byCode].map(([code, description]) => ({
  code,
  description,
}));

/** The description of a code, up to 255 characters (spec 2.35). */
export const describe = (code: string): string => byCode.get(code) ?? 'unlisted result code';

/** HTTP status of a body with this code (spec 7): 200 success, pending or recorded, 400 declined or invalid. */
export const statusOf = (code: string): number => {
  if (code === codes.unauthenticated) return 403;
  return isAccepted(code) || isInGroup('recordedChargebacks', code) ? 200 : 400;
};
