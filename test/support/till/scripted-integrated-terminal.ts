/** A simulated terminal that authorises by itself and keeps its own records: it works, and loses its link, as told. */
import type { IntegratedOutcome, IntegratedTerminal, TerminalPayment } from '../../../drivers/integrated-terminal.ts';
import { type Clock, dateTime, pause } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import type { Money } from '../../../src/base/money.ts';
import type { IntegratedTerminals } from '../../../src/till/ports.ts';
import { isSlow, type SlowFate, slowFates } from './bookkeeping-host.ts';

/**
 * `lostDuring`: the link breaks at once, and the device continues by itself. `decided…`: its host has the request and
 * answers this much later; no cancellation stops it.
 */
export type DeviceTurn =
  | SlowFate
  | 'works'
  | 'declined'
  | 'declinedBare'
  | 'notBegun'
  | 'refused'
  | 'lostBefore'
  | 'lostDuring'
  | 'lostAfter';
export type Question = 'open' | 'info' | 'last' | 'pay' | 'refund' | 'reverse';

/** A payment in the device's records. */
export type BookedPayment = {
  kind: 'pay' | 'refund';
  receiptNumber: string;
  amount: Money;
  reversed: boolean;
  traceNumber: string;
};

export type Device = ReturnType<typeof integratedDevice>;

type DeviceOptions = {
  clock: Clock;
  /** Decides what becomes of the next request. */
  nextTurn(question: Question): DeviceTurn;
  /** What the device reports about a payment besides amount and number. */
  outcomeFields?: Partial<TerminalPayment>;
  lines?: { customer: readonly string[]; merchant: readonly string[] };
};

type Work = { amount: Money; done(): IntegratedOutcome; taken?: (() => void) | undefined };

const TAKES_MS = 2_000;
/** How far its clock is ahead of the till's. */
const AHEAD_MS = 7_000;
/** After this a cancellation comes too late. */
const DECIDES_MS = 1_500;

export const integratedDevice = ({ clock, nextTurn: turn, outcomeFields = {}, lines }: DeviceOptions) => {
  const books: BookedPayment[] = [];
  const requests: Question[] = [];
  let serial = 'TWIN-1';
  let last: IntegratedOutcome | { kind: 'none' } = { kind: 'none' };
  let number = 0;
  /** A payment in progress, on whatever link it began. */
  let busy: { cancelled: boolean } | undefined;
  /** The open link: a device has only one. */
  let open: object | undefined;

  const slips = { customerLines: lines?.customer ?? [], merchantLines: lines?.merchant ?? [] };
  const refused = (command: string) => new Fault('terminal.refused', { command, status: '83', why: 'as told' });
  const lost = () => new Fault('link.lost', { port: 'twin', why: 'as told' });

  const outcomeOf = (
    kind: BookedPayment['kind'] | 'reverse',
    amount: Money,
    original?: BookedPayment,
  ): IntegratedOutcome => {
    number += 1;
    const receiptNumber = String(number).padStart(4, '0');
    const traceNumber = String(number);
    if (original !== undefined) original.reversed = true;
    else if (kind !== 'reverse') books.push({ kind, receiptNumber, amount, reversed: false, traceNumber });
    const of = original === undefined ? {} : { originalTrace: original.traceNumber };
    const payment = { amount, receiptNumber, traceNumber, ...of, ...timed(), ...outcomeFields };
    return { kind: 'approved', payment, ...slips };
  };

  /** By its own clock, which is a few seconds off and has no year. */
  const timed = () => ({ time: dateTime(clock.now() + AHEAD_MS).slice(5), heardAt: clock.now() });
  /** A payment that is reported again says nothing about the device's clock. */
  const again = (outcome: IntegratedOutcome | { kind: 'none' }): typeof outcome => {
    if (outcome.kind === 'none' || outcome.kind === 'notBegun' || outcome.payment === undefined) return outcome;
    const { heardAt: _, ...payment } = outcome.payment;
    return { ...outcome, payment };
  };

  const refusal = (amount: Money, bare: boolean): IntegratedOutcome => {
    number += 1;
    const payment = { amount, receiptNumber: String(number).padStart(4, '0'), ...timed(), ...outcomeFields };
    return { kind: 'declined', code: '05', why: 'declined', payment: bare ? undefined : payment, ...slips };
  };

  /** What the device does by itself, whether anybody listens or not. */
  const work = async (how: DeviceTurn, { amount, done }: Work): Promise<IntegratedOutcome> => {
    const mine = { cancelled: false };
    busy = mine;
    await pause(clock, isSlow(how) ? slowFates[how] : DECIDES_MS);
    const no = (mine.cancelled && !isSlow(how)) || how.startsWith('declined');
    last = no ? refusal(amount, how === 'declinedBare') : done();
    await pause(clock, TAKES_MS - DECIDES_MS);
    busy = undefined;
    return last;
  };

  const connect = (): IntegratedTerminal => {
    const link = {};
    open = link;
    const up = () => {
      if (open !== link) throw lost();
    };
    const cut = (): never => {
      open = undefined;
      throw lost();
    };
    const ask = (question: Question): DeviceTurn => {
      up();
      requests.push(question);
      const how = turn(question);
      return how === 'lostBefore' ? cut() : how;
    };
    const act = async (question: 'pay' | 'refund' | 'reverse', what: Work) => {
      const how = ask(question);
      if (busy !== undefined) throw new Fault('terminal.busy', { command: 'a payment' });
      if (how === 'refused') throw refused(question);
      if (how === 'notBegun') return { kind: 'notBegun', code: '9C', why: 'not now' } as const;
      const doing = work(how, what);
      what.taken?.();
      if (how === 'lostDuring') return cut();
      const outcome = await doing;
      if (how === 'lostAfter') return cut();
      up();
      return outcome;
    };
    const harmless = async <T>(question: Question, answer: () => T): Promise<T> => {
      const how = ask(question);
      await pause(clock, 10);
      if (how === 'lostAfter' || how === 'lostDuring') return cut();
      if (how === 'refused') throw refused(question);
      if (busy !== undefined && question === 'last') throw new Fault('terminal.busy', { command: 'a payment' });
      return answer();
    };
    return {
      info: () => harmless('info', () => ({ model: 'TWIN', serial, firmware: '1' })),
      health: async () => ({ ok: true, problems: [] }),
      echo: async () => {},
      async pay({ amount, onAccepted: taken }, notify) {
        notify('presentCard');
        return act('pay', { amount, taken, done: () => outcomeOf('pay', amount) });
      },
      refund: ({ amount, onAccepted: taken }) =>
        act('refund', { amount, taken, done: () => outcomeOf('refund', amount) }),
      async reverse({ receiptNumber, amount: requested }) {
        const original = books.findLast((booked) => booked.receiptNumber === receiptNumber);
        if (original === undefined || original.amount.minor !== requested.minor)
          return { kind: 'declined', code: '65', why: 'no such payment', ...slips };
        const { amount } = original;
        const done = () => outcomeOf('reverse', amount, original);
        if (original.reversed)
          return { kind: 'declined', code: 'B4', why: 'already reversed', already: true, ...slips };
        return act('reverse', { amount, done });
      },
      lastOutcome: () => harmless('last', () => again(last)),
      async cancel() {
        up();
        if (busy !== undefined) busy.cancelled = true;
      },
      endOfDay: async () => ({ lines: [] }),
      async close() {
        if (open === link) open = undefined;
      },
    };
  };

  /** As the runtime keeps it: one link, reopened after a fault. */
  const keep = (): IntegratedTerminals => {
    let stored: IntegratedTerminal | undefined;
    return {
      async get() {
        if (stored !== undefined) return stored;
        requests.push('open');
        await pause(clock, 50);
        if (turn('open') !== 'works') throw new Fault('link.unavailable', { port: 'twin', why: 'as told' });
        stored = connect();
        return stored;
      },
      async drop() {
        await stored?.close();
        stored = undefined;
      },
    };
  };

  return {
    books,
    asked: requests,
    keep,
    /** Somebody replaces it with another device. */
    replace(by: string): void {
      serial = by;
    },
    /** Somebody takes a payment by hand, at the device itself. */
    payByHand(amount: Money): void {
      last = outcomeOf('pay', amount);
    },
    /** Its day is closed: it forgets its payments. */
    forget(): void {
      last = { kind: 'none' };
    },
    /** Minor units in its records for payments of this amount. */
    charged: (minor: bigint): bigint =>
      books
        .filter(({ amount, reversed }) => amount.minor === minor && !reversed)
        .reduce((sum, { kind }) => sum + (kind === 'pay' ? minor : -minor), 0n),
  };
};
