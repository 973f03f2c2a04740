/** A scripted selling service: nothing happens by itself; the test reports each phase and each ending. */

import * as z from 'zod';
import type { Counter, LineState } from '../../../../src/api/contract/counters.ts';
import type { ClaimAnswer } from '../../../../src/api/contract/sale-requests.ts';
import {
  type HoldRow,
  type LiveSale,
  type Phase,
  type Result,
  type SaleDetail,
  type SaleRow,
  saleRow,
} from '../../../../src/api/contract/sales.ts';
import type { Amount } from '../../../../src/api/contract/wire.ts';
import type { Events } from '../../../../src/api/ports/events.ts';
import type { SellingPort } from '../../../../src/api/ports/selling.ts';
import type { Actor } from '../../../../src/api/ports/session.ts';
import { Fault, SalesFault } from '../../../../src/base/fault.ts';
import type { DisplayMode } from '../../../../src/base/mode.ts';
import { counter, eur, inMode, minor, pastSales, steady, text } from './selling-facts.ts';

export type ScriptedSelling = SellingPort & {
  /** Every request that began something, with its key; a repetition adds none. */
  readonly beginCalls: { key: string; request: object; by: Actor }[];
  /** How often something was requested, including repetitions. */
  requestCount: number;
  readonly line_: LineState;
  setLine(change: Partial<LineState>): void;
  setCounters(counters: Counter[]): void;
  phase(id: string, phase: Phase, facts?: Partial<LiveSale>): void;
  end(id: string, result: Result): void;
  /** The sale in progress. */
  current(): LiveSale;
  /** Thrown by the next request to begin a sale. */
  nextFault: Fault | undefined;
  /** The limit on opening other people's sales is reached: one more needs a manager. */
  isFull: boolean;
  /** The answers of `begin` wait for this. */
  gate: Promise<void>;
  claimAnswer: ClaimAnswer;
  holdRows: HoldRow[];
  details: Map<number, SaleDetail>;
};

type Setting = { mode: DisplayMode; events: Events; clock: () => number; terminals?: number; pastCount?: number };

export const scriptedSelling = ({ mode, events, clock, terminals = 1, pastCount = 20 }: Setting): ScriptedSelling => {
  const live = new Map<string, LiveSale>();
  const byKey = new Map<string, { body: string; id: string }>();
  const bills = new Map<number, { total: bigint; receipts: number[] }>();
  const details = new Map(pastSales(pastCount, clock()).map((sale) => [sale.receipt, sale]));
  let counters = Array.from({ length: terminals }, (_, index) => counter(`T${index + 1}`));
  let line: LineState = { ...steady, since: clock() };
  let receipts = pastCount;

  const found = (id: string): LiveSale => {
    const sale = live.get(id);
    if (sale === undefined) throw new Fault('till.notFound', { receipt: id });
    return sale;
  };
  const publish = (sale: LiveSale): LiveSale => {
    live.set(sale.id, sale);
    events.tell({ on: 'sale', sale });
    return sale;
  };
  const tellCounters = (next: Counter[]): void => {
    counters = next;
    events.tell({ on: 'counters', counters });
  };
  const rowOf = (sale: LiveSale): SaleDetail => ({
    id: sale.id,
    receipt: sale.receipt,
    at: sale.startedAt,
    operation: sale.operation,
    amount: sale.amount,
    tip: sale.tip,
    state: sale.result?.state ?? 'busy',
    ending: sale.result?.ending ?? 'open',
    ...(sale.result && { reason: sale.result.reason, says: sale.result.says, result: sale.result }),
    ...(sale.card && { last4: sale.card.last4, brand: sale.card.brand ?? 'Visa' }),
    cashier: 'Anna',
    counter: sale.counter,
    terminalId: '12345678',
    sequence: sale.receipt,
    followers: [],
    may: sale.result?.state === 'approved' ? [{ operation: 'refund', most: sale.amount }, { operation: 'void' }] : [],
  });
  const billOf = (receipt: number): SaleDetail['bill'] => {
    const bill = [...bills.values()].find((one) => one.receipts.includes(receipt));
    if (bill === undefined) return undefined;
    const parts = bill.receipts.map((one) => details.get(one)).filter((one) => one !== undefined);
    const sum = (state: SaleRow['state']): bigint =>
      parts
        .filter((one) => one.state === state)
        .reduce(
          (all, one) =>
            all + minor(one.result && 'approved' in one.result ? (one.result.approved ?? one.amount) : one.amount),
          0n,
        );
    const [paid, unknown] = [sum('approved'), sum('unknown')];
    return {
      total: eur(text(bill.total)),
      paid: eur(text(paid)),
      unknown: eur(text(unknown)),
      left: eur(text(bill.total - paid - unknown)),
      receipts: bill.receipts,
    };
  };
  const open = (amount: Amount, operation: LiveSale['operation'], facts: Partial<LiveSale>): LiveSale => {
    const name = facts.counter ?? counters.find(({ state }) => state === 'ready')?.name ?? 'T1';
    if (counters.find((one) => one.name === name)?.state !== 'ready')
      throw new Fault('terminal.busy', { command: 'a sale' });
    receipts += 1;
    const sale: LiveSale = {
      mode,
      id: `sale-${receipts}`,
      receipt: receipts,
      operation,
      amount,
      accept: ['chip', 'tap', 'swipe'],
      phase: 'starting',
      startedAt: clock(),
      phaseAt: clock(),
      ahead: ['presentCard', 'enterPin', 'askingBank', 'ended'],
      cancelling: false,
      terminalFree: false,
      ...facts,
      counter: name,
    };
    details.set(sale.receipt, rowOf(sale));
    tellCounters(counters.map((one) => (one.name === name ? { ...one, state: 'busy', sale: sale.id } : one)));
    return publish(sale);
  };
  const once = async (key: string, request: object, begin: () => LiveSale, actor: Actor): Promise<LiveSale> => {
    service.requestCount += 1;
    const body = JSON.stringify(request);
    const known = byKey.get(key);
    if (known !== undefined) {
      if (known.body !== body) throw new Fault('request.keyReused', { key });
      await service.gate;
      return found(known.id);
    }
    const { nextFault } = service;
    service.nextFault = undefined;
    if (nextFault !== undefined) throw nextFault;
    const sale = begin();
    byKey.set(key, { body, id: sale.id });
    service.beginCalls.push({ key, request, by: actor });
    await service.gate;
    return found(sale.id);
  };
  const likely = ({ amount }: Amount): SaleRow[] =>
    newest()
      .filter((sale) => sale.state === 'unknown' && sale.amount.amount === amount)
      .map(listed);
  const refuseLikely = (amount: Amount, again: readonly number[] = []): void => {
    const sales = likely(amount);
    const receipts = sales.map(({ receipt }) => receipt);
    if (receipts.every((receipt) => again.includes(receipt))) return;
    throw new SalesFault('sale.likely', { amount: amount.amount, receipts: receipts.join(', ') }, sales);
  };
  /** A row of a list, without the details of a single sale. */
  const listed = (sale: SaleDetail): SaleRow => z.object(saleRow.shape).parse(sale);
  const newest = (): SaleDetail[] => [...details.values()].sort((a, b) => b.receipt - a.receipt);

  const service: ScriptedSelling = {
    beginCalls: [],
    requestCount: 0,
    nextFault: undefined,
    isFull: false,
    gate: Promise.resolve(),
    claimAnswer: { verdict: 'notFound', says: 'No such sale at this till.', sales: [] },
    holdRows: [],
    details,
    get line_() {
      return line;
    },
    setLine(change) {
      line = { ...line, ...change };
      events.tell({ on: 'line', line });
    },
    setCounters: tellCounters,
    phase(id, phase, facts = {}) {
      const sale = found(id);
      const index = sale.ahead.indexOf(phase);
      const ahead = index < 0 ? sale.ahead : sale.ahead.slice(index + 1);
      publish({ ...sale, phase, phaseAt: clock(), ahead, ...facts });
    },
    end(id, ending) {
      const result = inMode(ending, mode);
      const sale = {
        ...found(id),
        phase: 'ended' as const,
        phaseAt: clock(),
        ahead: [],
        cancelling: false,
        terminalFree: true,
        result,
      };
      details.set(sale.receipt, rowOf(sale));
      publish(sale);
      tellCounters(
        counters.map(({ sale: _, ...one }) =>
          one.name === sale.counter ? { ...one, state: 'ready' as const } : { ...one, sale: _ || undefined },
        ),
      );
      const unknown = [...details.values()].filter(({ state }) => state === 'unknown').length;
      if (unknown !== line.unknown) service.setLine({ unknown });
      events.tell({ on: 'changed', what: 'sales' });
    },
    current() {
      const sale = [...live.values()].findLast(({ result }) => result === undefined);
      if (sale === undefined) throw new Error('no sale is under way');
      return sale;
    },
    counters: () => counters,
    begin: (request, actor, key) =>
      once(
        key,
        request,
        () => {
          const whole = minor(request.amount) + (request.tip ? minor(request.tip) : 0n);
          refuseLikely(eur(text(whole)), request.again);
          const operation = request.operation === 'giftCard' ? 'sale' : request.operation;
          const sale = open(eur(text(whole)), operation, {
            counter: request.counter,
            tip: request.tip,
            // Replaces what the sale accepts by default.
            ...(request.accept && { accept: request.accept }),
          });
          if (request.billTotal) bills.set(sale.receipt, { total: minor(request.billTotal), receipts: [sale.receipt] });
          if (request.bill !== undefined) {
            const first = details.get(request.bill);
            const bill = bills.get(request.bill) ?? {
              total: first ? minor(first.amount) : whole,
              receipts: [request.bill],
            };
            bills.set(request.bill, { ...bill, receipts: [...bill.receipts, sale.receipt] });
          }
          return sale;
        },
        actor,
      ),
    follow: (request, actor, key) =>
      once(
        key,
        request,
        () => {
          const parent = details.get(request.receipt);
          if (parent === undefined) throw new Fault('till.notFound', { receipt: request.receipt });
          const operation = request.operation === 'tip' ? 'completion' : request.operation;
          return open(request.amount ?? parent.amount, operation, { counter: request.counter });
        },
        actor,
      ),
    cancel: (id) => publish({ ...found(id), cancelling: true }),
    live: () => [...live.values()],
    liveSale: found,
    sales({ from, most, search = '', cashier: own }) {
      const rows = newest().filter(
        ({ receipt, amount, last4 = '', cashier = '' }) =>
          (own === undefined || cashier === own) &&
          (search === '' || [String(receipt), amount.amount, last4, cashier].some((fact) => fact.includes(search))),
      );
      return { rows: rows.slice(from, from + most).map(listed), from, total: rows.length };
    },
    sale(receipt) {
      const sale = details.get(receipt);
      if (sale === undefined) throw new Fault('till.notFound', { receipt });
      const bill = billOf(receipt);
      return { ...sale, ...(bill && { bill }) };
    },
    receiptOfCode(code) {
      const [terminalId = '', number] = code.split('-');
      const sale = [...details.values()].find((one) =>
        number === undefined ? one.id === code : one.receipt === Number(number) && one.terminalId === terminalId,
      );
      if (sale !== undefined) return sale.receipt;
      throw number === undefined
        ? new Fault('receipt.unknown', { terminalId: '12345678' })
        : new Fault('receipt.elsewhere', { receipt: number, terminalId });
    },
    isOwn(sale, { name }) {
      const one = 'id' in sale ? newest().find(({ id }) => id === sale.id) : service.sale(sale.receipt);
      return one?.cashier === name;
    },
    openOthers: () => !service.isFull,
    allowOthers() {
      service.isFull = false;
    },
    holds: () => service.holdRows,
    line: () => line,
    claim: () => service.claimAnswer,
    likely,
  };
  return service;
};
