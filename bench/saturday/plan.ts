/** The plan of a busy Saturday: sales, failures, and the office's work. The same seed gives the same day. */
import { type Dice, dice } from '../../test/support/chance/dice.ts';
import { type CustomerName, customerNames, customers } from './customers.ts';

export type Protocol = 'mpi' | 'neo2' | 'mms' | 'zvt';
const protocols: readonly Protocol[] = ['mpi', 'neo2', 'mms', 'zvt'];

export type CounterPlan = {
  /** From 0; `T1` is the first. */
  index: number;
  name: string;
  protocol: Protocol;
  terminalId: string;
  /** The name of its cashier. */
  cashier: string;
};

const cashiers = ['Anna', 'Ben', 'Carla', 'Dirk', 'Emma', 'Finn', 'Greta', 'Hans', 'Ida', 'Jonas'] as const;

export type SalePlan = {
  n: number;
  counter: number;
  /** Milliseconds from the start of the day, as all times here. */
  at: number;
  /** Unique within the day: it identifies the sale in every book. */
  minor: bigint;
  operation: 'sale' | 'preauthorisation';
  customer: CustomerName;
  /** The customer is already waiting: the sale starts as soon as the last one is reported as ended. */
  isEager: boolean;
};

export type Trouble = {
  at: number;
  forMs: number;
  kind: 'gatewayStopped' | 'gatewayKilled' | 'gatewayCutOff' | 'terminalKilled' | 'tillKilled';
  /** The index of the counter, for a terminal's failure. */
  counter?: number;
};

/** `of`: the sale's number. */
export type FollowPlan = { at: number; what: 'void' | 'refund' | 'completion' | 'release'; of: number };
export type ClosePlan = { at: number; counter: number };

export type DayPlan = {
  seed: number;
  dayMs: number;
  counters: readonly CounterPlan[];
  sales: readonly SalePlan[];
  troubles: readonly Trouble[];
  follows: readonly FollowPlan[];
  closes: readonly ClosePlan[];
};

/**
 * `isMild`: only one failure each of a terminal, the till and the gateway's connection. Starts are most of a
 * short day's work.
 */
export type DayPlanOptions = { seed: number; sales: number; dayMs: number; counters: number; isMild?: boolean };

export const planOf = (request: DayPlanOptions): DayPlan => {
  const chance = dice(request.seed);
  const counters = Array.from({ length: request.counters }, (_, index): CounterPlan => {
    const terminalId = String(71_000_001 + index);
    const cashier = cashiers[index] ?? cashiers[0];
    return {
      index,
      name: `T${index + 1}`,
      protocol: protocols[index % protocols.length] ?? 'mpi',
      terminalId,
      cashier,
    };
  });
  const sales = salesOf(request, counters, chance);
  return {
    ...{ seed: request.seed, dayMs: request.dayMs, counters, sales },
    troubles: troublesOf(request, chance).filter(({ kind }, index, all) => {
      const isFirst = all.findIndex((each) => each.kind === kind) === index;
      return request.isMild !== true || (isFirst && mildTroubles.includes(kind));
    }),
    follows: followsOf(request, sales, chance),
    closes: closesOf(request, chance),
  };
};

/** Per cent of the sales at a card reader. */
const PREAUTHORISATIONS = 3;
const EAGER = 30;

/** 1.00 to 101.00, each amount once. */
const amountsOf = (count: number, chance: Dice): bigint[] => {
  const step = Math.max(1, 10_000 / count);
  const amounts = Array.from({ length: count }, (_, n) => 100n + BigInt(Math.floor(n * step)));
  return shuffle(amounts, chance);
};

const shuffle = <T>(all: T[], chance: Dice): T[] => {
  for (let index = all.length - 1; index > 0; index -= 1) {
    const other = chance.between(0, index);
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
};

const hundredCustomers: readonly CustomerName[] = customerNames.flatMap((name) =>
  Array.from({ length: customers[name].share }, () => name),
);

const salesOf = ({ sales, dayMs }: DayPlanOptions, counters: readonly CounterPlan[], chance: Dice): SalePlan[] => {
  const times = Array.from({ length: sales }, () => chance.between(0, dayMs - 1)).sort((a, b) => a - b);
  const amounts = amountsOf(sales, chance);
  return times.map((at, n) => {
    const counter = n % counters.length;
    const isReader = counters[counter]?.protocol !== 'zvt';
    const isHold = isReader && chance.percent(PREAUTHORISATIONS);
    return {
      ...{ n, counter, at, minor: amounts[n] ?? 0n },
      operation: isHold ? 'preauthorisation' : 'sale',
      customer: hundredCustomers[chance.between(0, hundredCustomers.length - 1)] ?? 'taps',
      isEager: chance.percent(EAGER),
    };
  });
};

/** Each failure's start and duration, as fractions of the day. Nothing fails in its first and last tenth. */
const breaks: readonly { kind: Trouble['kind']; at: number; lastsShare: number }[] = [
  { kind: 'gatewayCutOff', at: 0.16, lastsShare: 0.02 },
  { kind: 'gatewayStopped', at: 0.27, lastsShare: 0.02 },
  { kind: 'tillKilled', at: 0.38, lastsShare: 0.001 },
  { kind: 'gatewayKilled', at: 0.5, lastsShare: 0.015 },
  { kind: 'gatewayCutOff', at: 0.6, lastsShare: 0.01 },
  { kind: 'tillKilled', at: 0.71, lastsShare: 0.001 },
];
const mildTroubles: readonly Trouble['kind'][] = ['gatewayCutOff', 'terminalKilled', 'tillKilled'];
const SHIFT = 0.03;
const calm = { from: 0.12, to: 0.82 } as const;
const TERMINAL_LASTS = 0.003;

const troublesOf = ({ dayMs, counters }: DayPlanOptions, chance: Dice): Trouble[] => {
  const shift = (part: number): number => Math.round(dayMs * (part + (SHIFT * chance.between(0, 100)) / 100));
  const planned = breaks.map(({ kind, at, lastsShare }): Trouble => {
    return { kind, at: shift(at), forMs: Math.round(dayMs * lastsShare) };
  });
  const terminals = Array.from({ length: counters }, (_, counter): Trouble => {
    const at = chance.between(Math.round(calm.from * dayMs), Math.round(calm.to * dayMs));
    return { kind: 'terminalKilled', counter, at, forMs: Math.round(dayMs * TERMINAL_LASTS) };
  });
  return [...planned, ...terminals].sort((a, b) => a.at - b.at);
};

/** Per cent of the sales that are refunded, voided, completed or released. */
const FOLLOWED = 10;
/** The minimum fraction of the day before a customer returns. */
const COMES_BACK = 0.02;

const followsOf = ({ dayMs }: DayPlanOptions, sales: readonly SalePlan[], chance: Dice): FollowPlan[] => {
  const laterSales = sales.filter(({ at }) => at < dayMs * (1 - 2 * COMES_BACK));
  return laterSales
    .filter(({ operation }) => operation === 'preauthorisation' || chance.percent(FOLLOWED))
    .map(({ n, at, operation }) => ({
      of: n,
      at: Math.round(
        at + dayMs * COMES_BACK + (chance.between(0, 100) / 100) * Math.min(dayMs - at - dayMs * COMES_BACK, dayMs / 5),
      ),
      what: followOf(operation, chance),
    }))
    .sort((a, b) => a.at - b.at);
};

const followOf = (operation: SalePlan['operation'], chance: Dice): FollowPlan['what'] => {
  if (operation === 'preauthorisation') return chance.percent(70) ? 'completion' : 'release';
  return chance.percent(40) ? 'void' : 'refund';
};

/** The times between the failures of gateway and till, as fractions of the day: everything unsent is sent by then. */
const quiet: readonly [readonly [number, number], ...(readonly [number, number])[]] = [
  [0.33, 0.37],
  [0.44, 0.49],
  [0.56, 0.59],
  [0.66, 0.7],
  [0.77, 0.88],
];

/** The first two counters stay open all day, because their reports are read. Each other one is closed once. */
const closesOf = ({ dayMs, counters }: DayPlanOptions, chance: Dice): ClosePlan[] =>
  Array.from({ length: counters }, (_, counter) => {
    const [from, to] = chance.one(quiet);
    return { counter, at: chance.between(Math.round(from * dayMs), Math.round(to * dayMs)) };
  })
    .filter(({ counter }) => counter >= 2)
    .sort((a, b) => a.at - b.at);
