/**
 * Accounts that are not cards, from request to recorded outcome: the payment method reads the account, one table
 * decides.
 */
import { codes } from '../../../../base/result-codes.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../spec/acquirer-answer.ts';
import type { AccountKind } from '../../../spec/brands.ts';
import { perTransactionDefaultMinor } from '../accounts.ts';
import { answerOf, MERCHANT_ID, refusal } from '../answers.ts';
import type { DocumentChange } from '../documents.ts';
import type { LedgerTransaction } from '../ledger.ts';
import { opened, partialAnswer, partOf, taken } from '../purse.ts';
import {
  type AccountOrPurse,
  answeredBefore,
  firstOfSeries,
  forcedAnswer,
  forcedEnding,
  outcomeOf,
  type SimulatorContext,
} from '../record.ts';
import { type ResponseCode, triggerOf } from '../responses.ts';
import { GRAINS_PER_CENT, worthOf } from '../worth.ts';
import type { MethodAccount, MethodRefusal, MethodVerdict, SimulatedMethod, Visit } from './method.ts';
import { bankAccount, giftCard, virtualAccount } from './simulated-accounts.ts';
import { simulatedWalletToken } from './simulated-wallet-token.ts';
import { tokenAccount } from './token-account.ts';

const methods: Readonly<Record<Exclude<AccountKind, 'card' | 'pos'>, SimulatedMethod>> = {
  bankAccount,
  virtualAccount,
  tokenAccount,
  giftCard,
  applePay: simulatedWalletToken,
  googlePay: simulatedWalletToken,
  samsungPay: simulatedWalletToken,
};

const cardsHere: SimulatedMethod = ({ account }) => ({
  refused: codes.methodNotConfigured,
  why: `No simulated method takes ${account}.`,
});

/**
 * The answer to a request with a method other than a card; the stored answer if its id was answered before. Decides and
 * records with exclusive access to its id and its purse: the outcome and the changed purse are one write.
 */
export const authoriseMethod = async (rooms: SimulatorContext, request: Authorisation): Promise<AcquirerAnswer> => {
  const { id, account: kind } = request;
  const method = kind === 'card' || kind === 'pos' ? cardsHere : methods[kind];
  const account = await method(request);
  const purse = 'refused' in account ? undefined : purseNameOf(rooms, request, account);
  const place: AccountOrPurse = { purse };
  const names = [`outcome ${id}`, ...(purse === undefined ? [] : [`purse ${purse}`])];
  const work = async (transaction: LedgerTransaction): Promise<AcquirerAnswer> => {
    const seen = await transaction.read('outcome', id);
    if (seen !== undefined) return answeredBefore(rooms, request, { seen, place });
    const decided =
      'refused' in account
        ? refuse(rooms, request, account)
        : await decide(rooms, transaction, { request, account, purse });
    const answer = firstOfSeries(request, forcedAnswer(request, decided.answer));
    await transaction.write([...decided.changes, outcomeOf(request, answer, place)]);
    return answer;
  };
  return rooms.ledger.exclusively(names, work);
};

/** A wallet card has one purse for all three wallets: their numbers are card numbers. */
const purseNameOf = (
  { hsm }: Pick<SimulatorContext, 'hsm'>,
  { account: kind }: Authorisation,
  { purse }: MethodAccount,
): string | undefined => {
  const family = kind.endsWith('Pay') ? 'wallet' : kind;
  return purse && hsm.accountKey(`${family} ${purse.number}`);
};

type Decided = { answer: AcquirerAnswer; changes: readonly DocumentChange[] };

const refuse = ({ random }: SimulatorContext, request: Authorisation, { refused, why }: MethodRefusal): Decided => {
  const ending = forcedEnding(request);
  const answer =
    ending === undefined
      ? refusal(refused, { ExtendedDescription: why })
      : answerOf({ code: ending === 'approved' ? '00' : '05', at: request.at, random });
  return { answer, changes: [] };
};

type Case = { request: Authorisation; account: MethodAccount; purse: string | undefined };

const decide = async (
  rooms: SimulatorContext,
  transaction: LedgerTransaction,
  { request, account, purse }: Case,
): Promise<Decided> => {
  const { paymentType: type, amount } = request;
  const stored = purse === undefined ? undefined : await transaction.read('purse', purse);
  const available = account.purse && (stored?.available ?? account.purse.opening);
  const tries = await triesOf(transaction, account, purse);
  const forced = forcedEnding(request);
  const judged = judge({
    type,
    forced,
    trigger: triggeredCode(request),
    account,
    wrongPins: tries?.wrong ?? 0,
    amount: worthOf(amount),
    limit: perTransactionDefaultMinor * GRAINS_PER_CENT,
    available,
    most: account.purse?.most,
  });
  const short = judged.code === '51' && triggeredCode(request) === undefined && account.paysPart === true;
  const part = short ? partOf(request, available ?? 0n) : undefined;
  const verdict: MethodVerdict = part === undefined ? judged : { code: '00' };
  const approves = verdict.code === '00';
  const visit = approves && forced === undefined ? account.visit : undefined;
  const moves = approves && visit === undefined;
  const left = available === undefined ? undefined : available - (moves ? taken(opened(type, part ?? amount)) : 0n);
  const changes: DocumentChange[] = [];
  if (purse !== undefined && left !== undefined) {
    changes.push({ kind: 'purse', name: purse, document: { available: left } });
    if (tries !== undefined) changes.push({ kind: 'tries', name: purse, document: tries });
  }
  if (visit === undefined) {
    const answer = dressed(rooms, request, { account, verdict, left });
    return { answer: part === undefined ? answer : partialAnswer(answer, amount, part), changes };
  }
  const { returnTo, shop } = visit;
  changes.push({ kind: 'visit', name: request.id, document: { returnTo, shop } });
  return { answer: sentAway(rooms, request, visit), changes };
};

/** The PIN count after this request; undefined for accounts without a PIN. A locked account stays locked. */
const triesOf = async (transaction: LedgerTransaction, { pin }: MethodAccount, purse: string | undefined) => {
  if (pin === undefined || purse === undefined) return undefined;
  const { wrong } = (await transaction.read('tries', purse)) ?? { wrong: 0 };
  if (pin === 'wrong') return { wrong: wrong + 1 };
  return { wrong: pin === 'right' && wrong < pinTries ? 0 : wrong };
};

const triggeredCode = (request: Authorisation): ResponseCode | undefined => {
  const trigger = triggerOf(request);
  return trigger?.kind === 'response' ? trigger.code : undefined;
};

type Ended = { account: MethodAccount; verdict: MethodVerdict; left: bigint | undefined };

const dressed = (
  rooms: SimulatorContext,
  request: Authorisation,
  { account, verdict, left }: Ended,
): AcquirerAnswer => {
  const { code, resultCode, reason } = verdict;
  const answer = answerOf({ code, at: request.at, random: rooms.random, account: account.echo });
  const { merchantBankAccount } = account;
  return {
    ...answer,
    resultCode: resultCode ?? answer.resultCode,
    merchantBankAccount: code === '00' ? merchantBankAccount : undefined,
    details: { ...answer.details, AcquirerResponse: reason ?? code, ...account.tells?.(code, left) },
  };
};

/** Transaction pending: no money has moved, and the shopper is asked. */
const sentAway = ({ random }: SimulatorContext, { at }: Authorisation, { url }: Visit): AcquirerAnswer => {
  const { details } = answerOf({ code: '00', at, random });
  return {
    resultCode: codes.pending,
    merchantId: MERCHANT_ID,
    redirect: { url, method: 'GET', parameters: [], preconditions: [] },
    details: { ConnectorTxID1: details['ConnectorTxID1'] ?? '' },
  };
};

/** Amounts in grains (`worth.ts`). */
type Facts = {
  type: 'PA' | 'DB' | 'CD';
  forced: 'approved' | 'declined' | undefined;
  /** The response code that the amount triggers in a test. */
  trigger: ResponseCode | undefined;
  account: Pick<MethodAccount, 'against' | 'pin' | 'shortOfFunds'>;
  /** Wrong PINs in a row, including this one. */
  wrongPins: number;
  amount: bigint;
  limit: bigint;
  /** Both undefined if the money comes from outside. */
  available: bigint | undefined;
  most: bigint | undefined;
};

/** This many wrong PINs in a row lock an account. */
const pinTries = 3;

const spends = ({ type }: Facts): boolean => type !== 'CD';

type Row = { readonly says: string; readonly code: ResponseCode; readonly when: (facts: Facts) => boolean };

/** The account holder's bank decides by an ordered table: the first row that applies gives the response code. Pure. */
export const judgements: readonly Row[] = [
  { code: '75', says: 'PIN tries used up', when: (f) => f.account.pin !== undefined && f.wrongPins >= pinTries },
  { code: '55', says: 'PIN wrong', when: (f) => f.account.pin === 'wrong' },
  { code: '13', says: 'a payment of nothing', when: (f) => f.type !== 'PA' && f.amount === 0n },
  { code: '61', says: 'above the limit', when: (f) => spends(f) && f.amount > f.limit },
  {
    code: '51',
    says: 'not enough funds',
    when: (f) => spends(f) && f.available !== undefined && f.amount > f.available,
  },
  { code: '61', says: 'more than the purse holds', when: (f) => !spends(f) && overflows(f) },
];

const overflows = ({ available = 0n, amount, most }: Facts): boolean => most !== undefined && available + amount > most;

/** A forced ending overrides every rule; a test's trigger overrides all but that. */
const judge = (facts: Facts): MethodVerdict => {
  const { forced, trigger, account } = facts;
  if (forced !== undefined) return { code: forced === 'approved' ? '00' : '05' };
  if (trigger !== undefined) return { code: trigger };
  if (account.against !== undefined) return account.against;
  const code = judgements.find(({ when }) => when(facts))?.code ?? '00';
  return code === '51' ? { code, ...account.shortOfFunds } : { code };
};
