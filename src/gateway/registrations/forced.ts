/** The test switch customParameters[forceResultCode] where no acquirer is asked: that result instead of storing. */
import type { Flat } from '../payments/account.ts';
import { meaningOf } from '../spec/results.ts';

/** The forced result, if it is one that refuses. */
export const forcedResultOf = (request: Flat): { resultCode: string; why: string } | undefined => {
  const code = request['customParameters[forceResultCode]'];
  if (code === undefined || !/^\d{3}\.\d{3}\.\d{3}$/.test(code) || meaningOf(code) === 'approved') return undefined;
  return { resultCode: code, why: 'It was asked for by customParameters[forceResultCode].' };
};
