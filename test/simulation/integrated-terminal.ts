/** An integrated terminal at one of the tills: it has the same faults as a reader, and keeps books. */
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import { isOpen, type Sale } from '../../src/till/machine/sale.ts';
import type { IntegratedTerminals } from '../../src/till/ports.ts';
import { type Device, type DeviceTurn, integratedDevice } from '../support/till/scripted-integrated-terminal.ts';
import type { ArmedFaults } from './armed-faults.ts';
import type { Station } from './station.ts';
import type { Store } from './store.ts';

export type { Device } from '../support/till/scripted-integrated-terminal.ts';

/** Without power no request starts and no answer arrives. */
export type WhileAlive = <T>(ask: () => Promise<T>) => Promise<T>;

const ofReading: Readonly<Record<ArmedFaults['reads'][number], DeviceTurn>> = {
  goOnline: 'works',
  approvedOffline: 'works',
  declinedOffline: 'declined',
  notRead: 'notBegun',
  fault: 'lostBefore',
};
const ofTheChip: Readonly<Record<ArmedFaults['chipVerdicts'][number], DeviceTurn>> = {
  approved: 'works',
  none: 'works',
  declined: 'declinedBare',
  gone: 'lostAfter',
  fault: 'lostDuring',
};

/** A fault that is armed for the next card or chip hits the next payment; a terminal that is gone does not answer. */
export const deviceOf = (store: Store, faults: ArmedFaults): Device =>
  integratedDevice({
    clock: store.clock,
    nextTurn(question) {
      if (store.isHealed) return 'works';
      if (store.clock.monotonic() < faults.noTerminalUntil) return 'lostBefore';
      if (question !== 'pay' && question !== 'refund' && question !== 'reverse') return 'works';
      const slowFate = question === 'pay' ? faults.hosts.shift() : undefined;
      if (slowFate !== undefined) return slowFate;
      const readFault = faults.reads.shift();
      if (readFault !== undefined) return ofReading[readFault];
      const chip = faults.chipVerdicts.shift();
      return chip === undefined ? 'works' : ofTheChip[chip];
    },
  });

/** The terminals as this life of the till sees them. */
export const integratedOf = (device: Device, guard: WhileAlive): IntegratedTerminals => {
  const terminals = device.keep();
  const whileAlive = (terminal: IntegratedTerminal): IntegratedTerminal => ({
    ...terminal,
    info: () => guard(() => terminal.info()),
    pay: (request, notify) => guard(() => terminal.pay(request, notify)),
    refund: (request, notify) => guard(() => terminal.refund(request, notify)),
    reverse: (receipt, notify) => guard(() => terminal.reverse(receipt, notify)),
    lastOutcome: () => guard(() => terminal.lastOutcome()),
  });
  return { get: async () => whileAlive(await guard(() => terminals.get())), drop: () => terminals.drop() };
};

/** The sign of a sale in the device's books. */
const signOf = ({ intent }: Sale): bigint => (intent.operation === 'sale' ? 1n : -1n);

const approvedAt = (sales: readonly Sale[]): bigint =>
  sales
    .filter((sale) => sale.at === 'ended' && sale.ending === 'approved')
    .reduce((all, sale) => all + signOf(sale) * sale.intent.amount.minor, 0n);

/** If the terminal itself does not know how a sale ended, a person reads its journal printout and decides. */
export const reportOpenSales = ({ device, run, report }: Station): void => {
  if (device === undefined) return;
  const { ledger, resolver } = run.running;
  for (const id of ledger.openSales()) {
    const all = [...ledger.all()].filter(({ intent }) => intent.by === 'terminal');
    const sale = all.find(({ intent }) => intent.sale === id);
    if (sale?.at !== 'ended' || sale.ending !== 'unknown') continue;
    const { amount, receipt, operation } = sale.intent;
    if (!sale.forPerson) report(`receipt ${receipt}, ${operation}: its terminal is present, but there was no inquiry`);
    const sameAmount = all.filter(({ intent }) => intent.amount.minor === amount.minor);
    const extraMinor = signOf(sale) * (device.charged(amount.minor) - approvedAt(sameAmount));
    const forcedBy = {
      who: 'Mara',
      role: 'manager',
      reason: 'the terminal does not say',
      evidence: 'its journal paper',
    };
    resolver.force(receipt, { charged: extraMinor >= amount.minor, by: forcedBy });
  }
};

/** The device's charges and refunds match the till. Valid only when nothing is open. */
export const checkDevice = (station: Station): void => {
  const { device, run } = station;
  if (device === undefined) return;
  const sales = [...run.running.ledger.all()].filter(({ intent }) => intent.by === 'terminal');
  if (sales.some(isOpen)) return;
  const till = approvedAt(sales);
  const bookedMinor = device.books
    .filter(({ reversed }) => !reversed)
    .reduce((all, { kind, amount }) => all + (kind === 'pay' ? 1n : -1n) * amount.minor, 0n);
  if (till !== bookedMinor)
    station.report(`the terminal holds ${till} by the till's books and ${bookedMinor} by its own`);
};
