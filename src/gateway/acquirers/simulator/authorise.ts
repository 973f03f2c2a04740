/**
 * One authorisation or credit from request to answer: test triggers first, then the handling of its account type; a
 * card, however it was read, to its recorded outcome.
 */
import { codes } from '../../../base/result-codes.ts';
import type { Authorisation } from '../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import type { AccountKind } from '../../spec/brands.ts';
import { addressOf, avsResponseOf, type IssuerAccount } from './accounts.ts';
import { acquirerRefusal, answerOf, cvvResponseOf, echoOf } from './answers.ts';
import type { DocumentChange } from './documents.ts';
import { initialState, judge } from './issuer.ts';
import type { LedgerTransaction } from './ledger.ts';
import { authoriseMethod } from './methods/settle.ts';
import { partialAnswer } from './purse.ts';
import {
  type AccountOrPurse,
  addSeriesReference,
  applyTrigger,
  forcedAnswer,
  forcedEnding,
  outcomeOf,
  repeatAnswer,
  type SimulatorContext,
} from './record.ts';
import { type Reading, readRequest } from './request.ts';
import { forcedResult, type ResponseCode, triggerOf } from './responses.ts';
import { judgeKeyUse, keysAfter, readKeys } from './used-counters.ts';
import { verify } from './verification-value.ts';

type ReadAccount = { reading: Reading; account: IssuerAccount; key: string };
type CardRefusal = { code: ResponseCode; resultCode?: string };

/** Looks up, decides and records, with exclusive access to the id, the account and the keys. */
const authoriseCard = (context: SimulatorContext, request: Authorisation): Promise<AcquirerAnswer> => {
  const card = cardOf(context, request);
  const names = [`outcome ${request.id}`];
  if ('account' in card) {
    names.push(`account ${card.key}`);
    for (const { id } of card.reading.serials) names.push(`key ${id}`);
  }
  const funds: AccountOrPurse = 'account' in card ? { account: card.key } : {};
  const work = async (transaction: LedgerTransaction): Promise<AcquirerAnswer> => {
    const previous = await transaction.read('outcome', request.id);
    if (previous !== undefined) return repeatAnswer(context, request, { seen: previous, place: funds });
    const decision =
      'account' in card
        ? await decideCard(context, transaction, { request, card })
        : decideWithoutCard(context, request, card);
    const answer = addSeriesReference(request, forcedAnswer(request, decision.answer));
    await transaction.write([...decision.changes, outcomeOf(request, answer, funds)]);
    return answer;
  };
  return context.ledger.withLocks(names, work);
};

/** The card of the request and its account, or the reason why there is none. */
const cardOf = ({ hsm, find }: SimulatorContext, request: Authorisation): ReadAccount | CardRefusal => {
  const reading = readRequest(hsm, request);
  if ('refused' in reading) return { code: reading.refused };
  const { pan } = reading.card;
  const found = find(pan);
  if (found.kind === 'account') return { reading, account: found.account, key: hsm.accountKey(pan) };
  const isMistyped = found.kind === 'misdialled' && reading.from === 'form';
  return { code: '14', resultCode: isMistyped ? codes.accountNumberInvalid : undefined };
};

type CardDecision = { answer: AcquirerAnswer; changes: readonly DocumentChange[] };

const decideCard = async (
  { hsm, random }: SimulatorContext,
  transaction: LedgerTransaction,
  { request, card: { reading, account, key } }: { request: Authorisation; card: ReadAccount },
): Promise<CardDecision> => {
  const { expiry } = reading;
  const proof = verify({
    number: reading.card.pan,
    verificationId: request.parameters['threeDSecure.verificationId'],
    dsTransID: request.parameters['threeDSecure.dsTransactionId'],
  });
  // Made for another card or transaction, or by an unknown issuer: no issuer is asked, and nothing about the account is
  // revealed.
  if (proof === 'forged') {
    const forgedAnswer = answerOf({ code: '82', at: request.at, random });
    return { answer: { ...forgedAnswer, details: { ...forgedAnswer.details, CavvResultCode: '1' } }, changes: [] };
  }
  const keys = reading.serials.length === 0 ? [] : await readKeys(transaction, reading.serials);
  const state = (await transaction.read('account', key)) ?? initialState(account);
  const forced = forcedEnding(request);
  const verdict = judge(hsm, { request, reading, account, state, key: judgeKeyUse(keys), forced });
  const answer = answerOf({
    code: verdict.code,
    at: request.at,
    random,
    account: echoOf(account, { expiry, holder: reading.card.holder }),
    iccDataResponse: verdict.iccDataResponse,
    cvvResponse: reading.from === 'form' ? cvvResponseOf(request.card?.cvv) : undefined,
    avsResponse: avsResponseOf(request.parameters, addressOf(account)),
  });
  const fullAnswer = verdict.part === undefined ? answer : partialAnswer(answer, request.amount, verdict.part);
  // Visa's code 2: the value was verified. A value from another source is neither known nor reported.
  const reportedAnswer =
    proof === 'genuine' ? { ...fullAnswer, details: { ...fullAnswer.details, CavvResultCode: '2' } } : fullAnswer;
  // Nobody decided on it: the same card data may be presented once more, in a new request.
  if (undecidedCodes.has(verdict.code)) return { answer: reportedAnswer, changes: [] };
  return {
    answer: reportedAnswer,
    changes: [{ kind: 'account', name: key, document: verdict.state }, ...keysAfter(keys)],
  };
};

const undecidedCodes: ReadonlySet<ResponseCode> = new Set<ResponseCode>(['91', '96']);

const decideWithoutCard = (
  { random }: SimulatorContext,
  request: Authorisation,
  { code, resultCode }: CardRefusal,
): CardDecision => {
  const ending = forcedEnding(request);
  const responseCode = ending === undefined ? code : ending === 'approved' ? '00' : '05';
  const avsResponse = avsResponseOf(request.parameters, undefined);
  const answer = answerOf({ code: responseCode, at: request.at, random, avsResponse });
  return { answer: resultCode === undefined ? answer : { ...answer, resultCode }, changes: [] };
};

/** The answer to a request; the stored answer if its id was answered before. */
export const authorise = (context: SimulatorContext, request: Authorisation): Promise<AcquirerAnswer> => {
  const forced = forcedResult(request);
  if (forced === 'malformed') {
    return Promise.resolve(
      acquirerRefusal(codes.parameterInvalid, { ExtendedDescription: 'forceResultCode has the form ddd.ddd.ddd' }),
    );
  }
  if (request.amount.minor < 0n) return Promise.resolve(acquirerRefusal(codes.amountMissing));
  const trigger = forced === undefined ? triggerOf(request) : undefined;
  const settle = hasCard(request) ? authoriseCard : authoriseMethod;
  return applyTrigger(context, { id: request.id, trigger }, () => settle(context, request));
};

const wallets: readonly AccountKind[] = ['applePay', 'googlePay', 'samsungPay'];

/** A wallet token that was decrypted before contains a card number like any other. */
const hasCard = ({ account, card }: Authorisation): boolean =>
  account === 'card' || account === 'pos' || (card !== undefined && wallets.includes(account));
