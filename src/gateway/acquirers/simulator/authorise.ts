/** One authorisation or credit from request to recorded outcome. */
import { pause } from '../../../base/clock.ts';
import { meaningOf } from '../../results.ts';
import type { AcquirerAnswer, Authorisation } from '../acquirer.ts';
import type { Account } from './accounts.ts';
import { answerOf, cvvResponseOf, echoOf, noAnswer, refusal } from './answers.ts';
import { firstState, judge } from './issuer.ts';
import { keysAfter, keyUse, readKeys } from './key-use.ts';
import type { Change, Outcome } from './ledger.ts';
import { opened } from './purse.ts';
import { type Reading, readRequest } from './request.ts';
import type { ResponseCode } from './responses.ts';
import type { Rooms } from './rooms.ts';
import { forcedResult, triggerOf } from './triggers.ts';

type Card = { reading: Reading; account: Account; key: string };
type NoCard = { code: ResponseCode; resultCode?: string };
type Settled = { answer: AcquirerAnswer; repeated: boolean };

/** The answer to a request; the stored one when its id was answered before. */
export const authorise = async (rooms: Rooms, request: Authorisation): Promise<AcquirerAnswer> => {
  const forced = forcedResult(request);
  if (forced === 'malformed') return refusal('200.300.404', { ExtendedDescription: 'forceResultCode is ddd.ddd.ddd' });
  if (request.amount.minor < 0n) return refusal('100.550.300');
  const trigger = forced === undefined ? triggerOf(request) : undefined;
  if (trigger?.kind === 'requestLost') return noAnswer;

  const card = cardOf(rooms, request);
  const names = [`outcome ${request.id}`];
  if ('account' in card) {
    names.push(`account ${card.key}`, ...card.reading.serials.map(({ id }) => `key ${id}`));
  }
  const { answer, repeated } = await rooms.inTurn(names, () => settle(rooms, { request, card, forced }));

  if (repeated || answer.resultCode !== '000.100.110') return answer;
  if (trigger?.kind === 'slow') await pause(rooms.clock, trigger.ms);
  return trigger?.kind === 'answerLost' ? noAnswer : answer;
};

/** The card of the request and the account behind it, or why there is none. */
const cardOf = ({ hsm, find }: Rooms, request: Authorisation): Card | NoCard => {
  const reading = readRequest(hsm, request);
  if ('refused' in reading) return { code: reading.refused };
  const { pan } = reading.card;
  const found = find(pan);
  if (found.kind === 'account') return { reading, account: found.account, key: hsm.accountKey(pan) };
  const mistyped = found.kind === 'misdialled' && reading.from === 'form';
  return { code: '14', ...(mistyped ? { resultCode: '100.100.101' } : {}) };
};

type Case = { request: Authorisation; card: Card | NoCard; forced: string | undefined };

/** Looks up, decides and records. Runs alone on its id, its account and its keys. */
const settle = async (rooms: Rooms, it: Case): Promise<Settled> => {
  const { request, card, forced } = it;
  const { paymentType: operation, amount, at } = request;
  const account = 'account' in card ? card.key : undefined;
  const seen = await rooms.ledger.read('outcome', request.id);
  if (seen !== undefined) {
    const same = seen.operation === operation && seen.minor === amount.minor && seen.currency === amount.currency;
    // A reversal that overtook its authorisation closed the id, whatever card the authorisation shows.
    const known = seen.operation === 'closed' || (same && seen.account === account);
    return { answer: known ? seen.answer : answerOf({ code: '94', at, random: rooms.random }), repeated: true };
  }

  const decided = 'account' in card ? await decideCard(rooms, it, card) : decideNothing(rooms, it, card);
  const answer = forced === undefined ? decided.answer : forcedAnswer(decided.answer, forced);
  const outcome: Outcome = {
    operation,
    minor: amount.minor,
    currency: amount.currency,
    ...(account === undefined ? {} : { account }),
    answer,
    ...(meaningOf(answer.resultCode) === 'approved' ? { moved: opened(operation, amount) } : {}),
  };
  await rooms.ledger.write([...decided.changes, { kind: 'outcome', name: request.id, document: outcome }]);
  return { answer, repeated: false };
};

type Decided = { answer: AcquirerAnswer; changes: readonly Change[] };

const forcedTo = (forced: string | undefined): 'approved' | 'declined' | undefined =>
  forced === undefined ? undefined : meaningOf(forced) === 'approved' ? 'approved' : 'declined';

const decideCard = async (rooms: Rooms, { request, forced }: Case, card: Card): Promise<Decided> => {
  const { reading, account, key } = card;
  const { expiry } = reading;
  const keys = await readKeys(rooms.ledger, reading.serials);
  const state = (await rooms.ledger.read('account', key)) ?? firstState(account);
  const ending = forcedTo(forced);
  const verdict = judge(rooms.hsm, {
    request,
    reading,
    account,
    state,
    key: keyUse(keys),
    ...(ending === undefined ? {} : { forced: ending }),
  });
  const answer = answerOf({
    code: verdict.code,
    at: request.at,
    random: rooms.random,
    account: echoOf(account, { expiry, holder: reading.card.holder }),
    iccDataResponse: verdict.iccDataResponse,
    cvvResponse: reading.from === 'form' ? cvvResponseOf(request.card?.cvv) : undefined,
  });
  return { answer, changes: [{ kind: 'account', name: key, document: verdict.state }, ...keysAfter(keys)] };
};

const decideNothing = ({ random }: Rooms, { request, forced }: Case, { code, resultCode }: NoCard): Decided => {
  const ending = forcedTo(forced);
  const said = ending === undefined ? code : ending === 'approved' ? '00' : '05';
  const answer = answerOf({ code: said, at: request.at, random });
  return { answer: resultCode === undefined ? answer : { ...answer, resultCode }, changes: [] };
};

/** A forced ending that is neither yes nor no carries no words of either. */
const forcedAnswer = (answer: AcquirerAnswer, resultCode: string): AcquirerAnswer => {
  if (['approved', 'declined'].includes(meaningOf(resultCode))) return { ...answer, resultCode };
  const { statusText: _, ...rest } = answer;
  return { ...rest, resultCode, details: {} };
};
