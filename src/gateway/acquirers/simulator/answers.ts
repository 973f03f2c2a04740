/**
 * The acquirer's answers: turns a response code into a result, a text to print, references and the echo of the account.
 */
import type { Random } from '../../../base/ids.ts';
import { codes } from '../../../base/result-codes.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import type { IssuerAccount } from './accounts.ts';
import type { Expiry } from './request.ts';
import { type ResponseCode, responseOf, securityCode } from './responses.ts';

type Echo = NonNullable<AcquirerAnswer['account']>;

/** The card acceptor id of every merchant here: fifteen digits. */
export const MERCHANT_ID = '000000012345678';

/** The account as it may be shown. Without a known expiry date none is shown. */
export const echoOf = (
  { brand, pan }: IssuerAccount,
  { expiry, holder }: { expiry: Expiry | undefined; holder: string | undefined },
): Echo | undefined =>
  expiry && {
    brand,
    bin: pan.slice(0, 6),
    last4Digits: pan.slice(-4),
    holder,
    expiryMonth: expiry.month,
    expiryYear: expiry.year,
  };

/** One letter for the host API's result.cvvResponse: match, no match; absent when no code was sent. */
export const cvvResponseOf = (cvv: string | undefined): string | undefined =>
  ({ right: 'M', wrong: 'N', none: undefined })[securityCode(cvv)];

export type AnswerParts = {
  code: ResponseCode;
  /** Wall time, ms: part of the reference number. */
  at: number;
  random: Random;
  account?: Echo;
  iccDataResponse?: string;
  cvvResponse?: string;
  avsResponse?: string;
};

/** Approval code and clearing references are present only for an approval. */
export const answerOf = (input: AnswerParts): AcquirerAnswer => {
  const { code, at, random, account, iccDataResponse, cvvResponse, avsResponse } = input;
  const { resultCode, statusText, advice } = responseOf(code);
  const randomBytes = random(DRAWN);
  const identifier = dayStamp(at) + drawLetters(randomBytes, [0, 8], APPROVAL);
  return {
    resultCode,
    account,
    iccDataResponse,
    statusText,
    clearing:
      code === '00'
        ? {
            authorizationAcquirerCode: drawLetters(randomBytes, [8, 14], DIGITS),
            authorizationIssuerCode: drawLetters(randomBytes, [14, 20], APPROVAL),
            identifier,
          }
        : undefined,
    merchantId: MERCHANT_ID,
    cvvResponse,
    avsResponse,
    // Details are a map of texts: an absent value has no key.
    details: { AcquirerResponse: code, ConnectorTxID1: identifier, ...(advice && { MerchantAdviceCode: advice }) },
  };
};

/** An answer with the gateway's own result code, for requests on which no issuer was asked. */
export const acquirerRefusal = (
  resultCode: string,
  details: Readonly<Record<string, string>> = {},
): AcquirerAnswer => ({
  resultCode,
  statusText: 'DECLINED',
  merchantId: MERCHANT_ID,
  details,
});

/** The requester's answer when no answer arrives: an uncertain result. */
export const noAnswer: AcquirerAnswer = { resultCode: codes.uncertain, details: {} };

// One draw of random bytes for everything: each call of the system's generator costs time.
const DRAWN = 20;
const DIGITS = '0123456789';
// The alphabet has no I and O, which people confuse with 1 and 0.
const APPROVAL = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const drawLetters = (randomBytes: Uint8Array, [start, end]: readonly [number, number], alphabet: string): string => {
  let text = '';
  for (let index = start; index < end; index += 1) text += alphabet[(randomBytes[index] ?? 0) % alphabet.length];
  return text;
};

/**
 * The last digit of the year and the day of the year: with eight drawn characters they make the twelve of ISO 8583 DE
 * 37.
 */
const dayStamp = (at: number): string => {
  const year = new Date(at).getUTCFullYear();
  const day = Math.floor((at - Date.UTC(year, 0, 1)) / 86_400_000) + 1;
  return `${year % 10}${day.toString().padStart(3, '0')}`;
};
