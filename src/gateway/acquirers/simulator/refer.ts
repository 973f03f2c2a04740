/** Captures, reversals and refunds: what an approved authorisation still allows, and the money that moves back. */
import { Fault } from '../../../base/fault.ts';
import type { AcquirerAnswer, Reference } from '../acquirer.ts';
import { answerOf, refusal } from './answers.ts';
import type { Change, Outcome } from './ledger.ts';
import { type Moved, refer as referTo, taken } from './purse.ts';
import type { Rooms } from './rooms.ts';

/** For what was never approved here, or never seen. */
const noSuchPayment = { capture: '700.400.510', refund: '700.400.520', reverse: '700.400.530' } as const;

/**
 * The answer to an operation on an approved authorisation, named by its id or by the id of one of its captures; the
 * stored answer when this operation's own id was answered before. Refused with a result code, without any effect:
 * an unknown or declined payment, another currency, an amount of nothing or more than is left.
 */
export const refer = async (rooms: Rooms, request: Reference): Promise<AcquirerAnswer> => {
  const target = await targetOf(rooms, request.of);
  const names = [`outcome ${request.id}`, `outcome ${request.of}`, `outcome ${target.id}`];
  if (target.outcome?.account !== undefined) names.push(`account ${target.outcome.account}`);
  const answer = await rooms.inTurn(names, () => settle(rooms, request, target));
  // The authorisation was recorded between the look and the turn: look again, now that its account is known.
  return answer ?? refer(rooms, request);
};

type Target = { id: string; outcome: Outcome | undefined };

const targetOf = async ({ ledger }: Rooms, of: string): Promise<Target> => {
  const outcome = await ledger.read('outcome', of);
  if (outcome?.operation !== 'capture' || outcome.of === undefined) return { id: of, outcome };
  return { id: outcome.of, outcome: await ledger.read('outcome', outcome.of) };
};

const settle = async (rooms: Rooms, request: Reference, before: Target): Promise<AcquirerAnswer | undefined> => {
  const { id, operation, amount, at } = request;
  const seen = await rooms.ledger.read('outcome', id);
  if (seen !== undefined) {
    const same = seen.operation === operation && seen.minor === amount.minor && seen.currency === amount.currency;
    return same && seen.of === request.of ? seen.answer : answerOf({ code: '94', at, random: rooms.random });
  }

  const target = await targetOf(rooms, request.of);
  if (target.id !== before.id || target.outcome?.account !== before.outcome?.account) return undefined;
  const own = (answer: AcquirerAnswer): Change => {
    const { minor, currency } = amount;
    return { kind: 'outcome', name: id, document: { operation, minor, currency, of: request.of, answer } };
  };

  const { outcome } = target;
  if (outcome?.moved === undefined) {
    const answer = refusal(noSuchPayment[operation]);
    const closing = operation === 'reverse' && outcome === undefined ? [closed(rooms, request)] : [];
    await rooms.ledger.write([own(answer), ...closing]);
    return answer;
  }
  const result = referTo(outcome.moved, operation, amount);
  if (!result.ok) {
    const answer = refusal(result.resultCode);
    await rooms.ledger.write([own(answer)]);
    return answer;
  }
  const answer = answerOf({ code: '00', at, random: rooms.random, account: outcome.answer.account });
  const restored = await accountAfter(rooms, outcome, { before: outcome.moved, after: result.moved });
  const document: Outcome = { ...outcome, moved: result.moved };
  await rooms.ledger.write([...restored, { kind: 'outcome', name: target.id, document }, own(answer)]);
  return answer;
};

/**
 * A reversal may overtake the authorisation it is about. Nothing is there to reverse, but the id is closed, so that the
 * authorisation is declined when it comes after all.
 */
const closed = (rooms: Rooms, { of, amount, at }: Reference): Change => {
  const { resultCode: _, ...answer } = answerOf({ code: '12', at, random: rooms.random });
  const document: Outcome = {
    operation: 'closed',
    minor: amount.minor,
    currency: amount.currency,
    answer: { ...answer, resultCode: '800.100.191' },
  };
  return { kind: 'outcome', name: of, document };
};

const accountAfter = async (
  { ledger }: Rooms,
  { account: name }: Outcome,
  { before, after }: { before: Moved; after: Moved },
): Promise<Change[]> => {
  // An approval forced for a request without a card has no account.
  if (name === undefined) return [];
  const account = await ledger.read('account', name);
  if (account === undefined) throw new Fault('gateway.state', { why: `the simulator’s account ${name} is missing` });
  const available = account.available + taken(before) - taken(after);
  return [{ kind: 'account', name, document: { ...account, available } }];
};
