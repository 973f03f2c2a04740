/** The ISO 8583 response codes (DE 39) of this acquirer: the gateway's result code and the text to print for each. */

import { isResultCode } from '../../../base/code-meanings.ts';
import { exponentOf } from '../../../base/money.ts';
import { codes } from '../../../base/result-codes.ts';
import type { Authorisation } from '../../payments/acquirer.ts';

export type Response = {
  /** A short meaning, for people. */
  readonly text: string;
  readonly resultCode: string;
  /** Letters and digits, host API 2.34 pos.statusText: no spaces, so a single word that anybody can read. */
  readonly statusText: string;
  /** Mastercard's merchant advice code: 01 request new card data, 02 try later, 03 do not try again. */
  readonly advice?: '01' | '02' | '03';
};

const declinedResponse = (text: string, resultCode: string, extra: Partial<Response> = {}): Response => ({
  text,
  resultCode,
  statusText: 'DECLINED',
  ...extra,
});

/** The receipt does not tell a customer that the card is to be picked up. */
const pickUp = { advice: '03' } as const;

/** A certain decline never maps to 900.x: those codes mean an uncertain result. */
export const responses = {
  '00': { text: 'approved', resultCode: codes.succeededInTest, statusText: 'APPROVED' },
  '01': declinedResponse('refer to the card issuer', codes.referToIssuer),
  '03': declinedResponse('invalid merchant', codes.configurationInvalid, { advice: '03' }),
  '04': declinedResponse('pick the card up', codes.pickUpCard, pickUp),
  '05': declinedResponse('do not honour', codes.declinedBySystem),
  '12': declinedResponse('invalid transaction', codes.transactionInvalid),
  '13': declinedResponse('invalid amount', codes.amountInvalid),
  '14': declinedResponse('no such card', codes.cardInvalid, { advice: '03' }),
  '15': declinedResponse('no such issuer', codes.cardTypeNotProcessed, { advice: '03' }),
  '30': declinedResponse('format error', codes.formatError),
  '41': declinedResponse('lost card', codes.cardLost, pickUp),
  '43': declinedResponse('stolen card', codes.cardStolen, pickUp),
  '51': declinedResponse('not enough funds', codes.fundsInsufficient, { advice: '02' }),
  '54': declinedResponse('expired card', codes.expiryDateWrong, { advice: '01' }),
  '55': declinedResponse('wrong PIN', codes.pinWrong),
  '57': declinedResponse('not permitted to this card', codes.notPermitted, { advice: '03' }),
  '58': declinedResponse('not permitted to this terminal', codes.notPermitted, { advice: '03' }),
  '59': declinedResponse('suspected fraud', codes.fraudSuspected, { advice: '03' }),
  '61': declinedResponse('above the amount limit', codes.limitExceeded, { advice: '02' }),
  '62': declinedResponse('restricted card', codes.cardRestricted, { advice: '03' }),
  '63': declinedResponse('security violation', codes.fraudSuspected, { advice: '03' }),
  '65': declinedResponse('above the number of payments', codes.frequencyExceeded, { advice: '02' }),
  '70': declinedResponse('PIN required', codes.authenticationNeeded),
  '75': declinedResponse('PIN tries used up', codes.pinTriesUsedUp),
  '81': declinedResponse('PIN block cannot be read', codes.formatError),
  '82': declinedResponse('cryptogram or card verification value wrong', codes.fraudSuspected),
  '91': declinedResponse('issuer not available', codes.issuerUnavailable, { advice: '02' }),
  '94': declinedResponse('duplicate transaction', codes.duplicate),
  '96': declinedResponse('system malfunction', codes.declined, { advice: '02' }),
  '1A': declinedResponse('additional authentication required', codes.authenticationNeeded),
  N7: declinedResponse('card security code wrong', codes.securityCodeWrong),
} as const satisfies Record<string, Response>;

export type ResponseCode = keyof typeof responses;

export const responseOf = (code: ResponseCode): Response => responses[code];

const isResponseCode = (text: string): text is ResponseCode => Object.hasOwn(responses, text);

// How a test requests an outcome: by an exact amount, a custom parameter or a card security code.

export type Trigger =
  | { kind: 'response'; code: ResponseCode }
  /** Authorised and recorded, but the answer is lost: the requester learns nothing until it inquires. */
  | { kind: 'answerLost' }
  /** The request never arrives: nothing is recorded, and an inquiry finds nothing. */
  | { kind: 'requestLost' }
  /** Authorised, but the answer is delayed. */
  | { kind: 'slow'; ms: number };

const special: Readonly<Record<string, Trigger>> = {
  '68': { kind: 'answerLost' },
  '92': { kind: 'requestLost' },
  '98': { kind: 'slow', ms: 20_000 },
};

/** The value of customParameters[offline] for a payment kept offline: approved by the chip, or not decided yet. */
export const claimedOffline = ({ customParameters }: Pick<Authorisation, 'customParameters'>) => {
  const claim = customParameters['offline'];
  return claim === 'chip' || claim === 'deferred' ? claim : 'no';
};

/**
 * 8000.NN in a currency with two decimals: the response code NN, or 68, 92 and 98 as above. 8000.00 triggers nothing. A
 * payment kept offline is never lost or slow: its sender would repeat it forever.
 */
export const triggerOf = (request: Pick<Authorisation, 'amount' | 'customParameters'>): Trigger | undefined => {
  const { minor, currency } = request.amount;
  if (exponentOf(currency) !== 2 || minor <= 800_000n || minor >= 800_100n) return undefined;
  const code = minor.toString().slice(-2);
  if (isResponseCode(code)) return { kind: 'response', code };
  return claimedOffline(request) === 'no' ? special[code] : undefined;
};

/** The result code requested by customParameters[forceResultCode]; `malformed` unless it has the form ddd.ddd.ddd. */
export const forcedResult = (request: Pick<Authorisation, 'customParameters'>): string | 'malformed' | undefined => {
  const expected = request.customParameters['forceResultCode'];
  if (expected === undefined || expected === '') return undefined;
  return isResultCode(expected) ? expected : 'malformed';
};

/** A typed security code that consists of zeros is wrong; any other is right, whatever the card. */
export const securityCode = (cvv: string | undefined): 'right' | 'wrong' | 'none' => {
  if (cvv === undefined || cvv === '') return 'none';
  return /^0+$/.test(cvv) ? 'wrong' : 'right';
};
