/**
 * Accounts that are not cards, from request to recorded outcome: the payment method reads the account, one table
 * decides.
 */
import { codes } from '../../../../base/result-codes.ts';
import type { Authorisation } from '../../../payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../spec/acquirer-answer.ts';
import type { AccountKind } from '../../../spec/brands.ts';
import { perTransactionDefaultMinor } from '../accounts.ts';
import { acquirerRefusal, answerOf, MERCHANT_ID } from '../answers.ts';
import type { DocumentChange } from '../documents.ts';
import type { LedgerTransaction } from '../ledger.ts';
import { createPurseMove, partialAmountOf, partialAnswer, takenAmount } from '../purse.ts';
import {
  type AccountOrPurse,
  addSeriesReference,
  forcedAnswer,
  forcedEnding,
  outcomeOf,
  repeatAnswer,
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

const refuseMethod: SimulatedMethod = ({ account }) => ({
  refused: codes.methodNotConfigured,
  why: `No simulated method takes ${account}.`,
});

/**
 * The answer to a request with a method other than a card; the stored answer if its id was answered before. Decides and
 * records with exclusive access to its id and its purse: the outcome and the changed purse are one write.
 */
export const authoriseMethod = async (context: SimulatorContext, request: Authorisation): Promise<AcquirerAnswer> => {
  const { id, account: kind } = request;
  const method = kind === 'card' || kind === 'pos' ? refuseMethod : methods[kind];
  const account = await method(request);
  const purse = 'refused' in account ? undefined : purseNameOf(context, request, account);
  const funds: AccountOrPurse = { purse };
  const names = [`outcome ${id}`, ...(purse === undefined ? [] : [`purse ${purse}`])];
  const work = async (transaction: LedgerTransaction): Promise<AcquirerAnswer> => {
    const previous = await transaction.read('outcome', id);
    if (previous !== undefined) return repeatAnswer(context, request, { seen: previous, place: funds });
    const decision =
      'refused' in account
        ? refuse(context, request, account)
        : await decide(context, transaction, { request, account, purse });
    const answer = addSeriesReference(request, forcedAnswer(request, decision.answer));
    await transaction.write([...decision.changes, outcomeOf(request, answer, funds)]);
    return answer;
  };
  return context.ledger.withLocks(names, work);
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

type MethodDecision = { answer: AcquirerAnswer; changes: readonly DocumentChange[] };

const refuse = (
  { random }: SimulatorContext,
  request: Authorisation,
  { refused, why }: MethodRefusal,
): MethodDecision => {
  const ending = forcedEnding(request);
  const answer =
    ending === undefined
      ? acquirerRefusal(refused, { ExtendedDescription: why })
      : answerOf({ code: ending === 'approved' ? '00' : '05', at: request.at, random });
  return { answer, changes: [] };
};

type MethodCase = { request: Authorisation; account: MethodAccount; purse: string | undefined };

const decide = async (
  context: SimulatorContext,
  transaction: LedgerTransaction,
  { request, account, purse }: MethodCase,
): Promise<MethodDecision> => {
  const { paymentType: type, amount } = request;
  const storedPurse = purse === undefined ? undefined : await transaction.read('purse', purse);
  const available = account.purse && (storedPurse?.available ?? account.purse.openingBalance);
  const pinTriesCount = await pinTriesAfter(transaction, account, purse);
  const forced = forcedEnding(request);
  const judgement = judge({
    type,
    forced,
    trigger: triggeredCode(request),
    account,
    wrongPins: pinTriesCount?.wrong ?? 0,
    amount: worthOf(amount),
    limit: perTransactionDefaultMinor * GRAINS_PER_CENT,
    available,
    most: account.purse?.maximum,
  });
  const isShort = judgement.code === '51' && triggeredCode(request) === undefined && account.paysPart === true;
  const partialAmount = isShort ? partialAmountOf(request, available ?? 0n) : undefined;
  const verdict: MethodVerdict = partialAmount === undefined ? judgement : { code: '00' };
  const approves = verdict.code === '00';
  const visit = approves && forced === undefined ? account.visit : undefined;
  const moves = approves && visit === undefined;
  const remaining =
    available === undefined
      ? undefined
      : available - (moves ? takenAmount(createPurseMove(type, partialAmount ?? amount)) : 0n);
  const changes: DocumentChange[] = [];
  if (purse !== undefined && remaining !== undefined) {
    changes.push({ kind: 'purse', name: purse, document: { available: remaining } });
    if (pinTriesCount !== undefined) changes.push({ kind: 'tries', name: purse, document: pinTriesCount });
  }
  if (visit === undefined) {
    const answer = completeAnswer(context, request, { account, verdict, left: remaining });
    return { answer: partialAmount === undefined ? answer : partialAnswer(answer, amount, partialAmount), changes };
  }
  const { returnTo, shop } = visit;
  changes.push({ kind: 'visit', name: request.id, document: { returnTo, shop } });
  return { answer: redirectToBank(context, request, visit), changes };
};

/** The PIN count after this request; undefined for accounts without a PIN. A locked account stays locked. */
const pinTriesAfter = async (transaction: LedgerTransaction, { pin }: MethodAccount, purse: string | undefined) => {
  if (pin === undefined || purse === undefined) return undefined;
  const { wrong } = (await transaction.read('tries', purse)) ?? { wrong: 0 };
  if (pin === 'wrong') return { wrong: wrong + 1 };
  return { wrong: pin === 'right' && wrong < pinTries ? 0 : wrong };
};

const triggeredCode = (request: Authorisation): ResponseCode | undefined => {
  const trigger = triggerOf(request);
  return trigger?.kind === 'response' ? trigger.code : undefined;
};

type JudgedAccount = { account: MethodAccount; verdict: MethodVerdict; left: bigint | undefined };

const completeAnswer = (
  context: SimulatorContext,
  request: Authorisation,
  { account, verdict, left }: JudgedAccount,
): AcquirerAnswer => {
  const { code, resultCode, reason } = verdict;
  const answer = answerOf({ code, at: request.at, random: context.random, account: account.echo });
  const { merchantBankAccount } = account;
  return {
    ...answer,
    resultCode: resultCode ?? answer.resultCode,
    merchantBankAccount: code === '00' ? merchantBankAccount : undefined,
    details: { ...answer.details, AcquirerResponse: reason ?? code, ...account.detailsFor?.(code, left) },
  };
};

/** Transaction pending: no money has moved, and the shopper is asked. */
const redirectToBank = ({ random }: SimulatorContext, { at }: Authorisation, { url }: Visit): AcquirerAnswer => {
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
  account: Pick<MethodAccount, 'decline' | 'pin' | 'shortOfFunds'>;
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

const isDebit = ({ type }: Facts): boolean => type !== 'CD';

type Row = { readonly text: string; readonly code: ResponseCode; readonly test: (facts: Facts) => boolean };

/** The account holder's bank decides by an ordered table: the first row that applies gives the response code. Pure. */
export const judgements: readonly Row[] = [
  { code: '75', text: 'PIN tries used up', test: (f) => f.account.pin !== undefined && f.wrongPins >= pinTries },
  { code: '55', text: 'PIN wrong', test: (f) => f.account.pin === 'wrong' },
  { code: '13', text: 'a payment of nothing', test: (f) => f.type !== 'PA' && f.amount === 0n },
  { code: '61', text: 'above the limit', test: (f) => isDebit(f) && f.amount > f.limit },
  {
    code: '51',
    text: 'not enough funds',
    test: (f) => isDebit(f) && f.available !== undefined && f.amount > f.available,
  },
  { code: '61', text: 'more than the purse holds', test: (f) => !isDebit(f) && exceedsMaximum(f) },
];

const exceedsMaximum = ({ available = 0n, amount, most }: Facts): boolean =>
  most !== undefined && available + amount > most;

/** A forced ending overrides every rule; a test's trigger overrides all but that. */
const judge = (facts: Facts): MethodVerdict => {
  const { forced, trigger, account } = facts;
  if (forced !== undefined) return { code: forced === 'approved' ? '00' : '05' };
  if (trigger !== undefined) return { code: trigger };
  if (account.decline !== undefined) return account.decline;
  const code = judgements.find(({ test }) => test(facts))?.code ?? '00';
  return code === '51' ? { code, ...account.shortOfFunds } : { code };
};
