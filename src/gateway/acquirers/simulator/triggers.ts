/** How a test asks for an outcome: by an exact amount, by a custom parameter, or by a card security code. */
import { exponentOf } from '../../../base/money.ts';
import type { Authorisation } from '../acquirer.ts';
import { isResponseCode, type ResponseCode } from './responses.ts';

export type Trigger =
  /** The issuer answers with this response code. */
  | { kind: 'response'; code: ResponseCode }
  /** Authorised and recorded, but the answer is lost on its way: the requester learns nothing until it inquires. */
  | { kind: 'answerLost' }
  /** The request never arrives: nothing is recorded, an inquiry finds nothing. */
  | { kind: 'requestLost' }
  /** Authorised, but the answer takes its time. */
  | { kind: 'slow'; ms: number };

const special: Readonly<Record<string, Trigger>> = {
  '68': { kind: 'answerLost' },
  '92': { kind: 'requestLost' },
  '98': { kind: 'slow', ms: 20_000 },
};

/** What customParameters[offline] says of a record kept offline: the chip approved it, or nobody has decided yet. */
export const claimedOffline = ({ customParameters }: Pick<Authorisation, 'customParameters'>) => {
  const claim = customParameters['offline'];
  return claim === 'chip' || claim === 'deferred' ? claim : 'no';
};

/**
 * 8000.NN in a currency of two decimals: the response code NN, or 68, 92 and 98 as above. 8000.00 means nothing.
 * A record kept offline is never lost or slow: its sender would repeat it for ever.
 */
export const triggerOf = (request: Pick<Authorisation, 'amount' | 'customParameters'>): Trigger | undefined => {
  const { minor, currency } = request.amount;
  if (exponentOf(currency) !== 2 || minor <= 800_000n || minor >= 800_100n) return undefined;
  const code = minor.toString().slice(-2);
  if (isResponseCode(code)) return { kind: 'response', code };
  return claimedOffline(request) === 'no' ? special[code] : undefined;
};

/** The result code that customParameters[forceResultCode] asks for; `malformed` unless it has the shape ddd.ddd.ddd. */
export const forcedResult = (request: Pick<Authorisation, 'customParameters'>): string | 'malformed' | undefined => {
  const wanted = request.customParameters['forceResultCode'];
  if (wanted === undefined || wanted === '') return undefined;
  return /^\d{3}\.\d{3}\.\d{3}$/.test(wanted) ? wanted : 'malformed';
};

/** A typed security code of zeros only is wrong; every other one is right, whatever the card. */
export const securityCode = (cvv: string | undefined): 'right' | 'wrong' | 'none' => {
  if (cvv === undefined || cvv === '') return 'none';
  return /^0+$/.test(cvv) ? 'wrong' : 'right';
};
