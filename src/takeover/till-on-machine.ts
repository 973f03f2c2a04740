/** A till and the machine it runs on: what the till finds there at its start, and what a manager decides about it. */
import type { TakenOver } from '../api/contract/machine.ts';
import { type Clock, within } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Ids, Random } from '../base/ids.ts';
import type { Books } from '../books/books.ts';
import { type Config, changeConfig, loadConfig } from '../folder/config.ts';
import type { MachineIdentity } from '../folder/machine.ts';
import { bindingOf, bindTo, leaveTerminals } from '../folder/till-machine.ts';
import type { Journal } from '../journal/journal.ts';
import { leaveToOriginal } from '../ledger/handed-over.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { LineWatch } from '../line/host.ts';
import type { PlainGateway } from '../line/plain-gateway.ts';
import type { TrustedTime } from '../offline/trusted-time.ts';
import type { Outbox } from '../queue/outbox.ts';
import { gatewayTime } from '../till/gateway/learned.ts';
import type { Host } from '../till/ports.ts';
import { takeOver } from './take-over.ts';
import type { TakenOverTills } from './taken-over-tills.ts';
import { openComparison, ownTerminals } from './till-comparison.ts';
import type { TillPlace } from './till-place.ts';

export type PlacedTill = TillPlace & {
  readonly plain: PlainGateway;
  /**
   * Before a sale: gives the gateway a moment to say what it knows, if it was not asked since the start. Undefined when
   * there is nothing to wait for.
   */
  compared(): Promise<void> | undefined;
  /** Throws as `takeOver` does. */
  takeOver(): Promise<TakenOver>;
  /**
   * The folder was moved here, and nobody sells with it elsewhere. Waiting messages start with an inquiry. Applies from
   * the next start. Throws `machine.settled`.
   */
  moved(): void;
  /**
   * The folder is a copy, and the original continues. From the next start its terminals have these ids, in the order of
   * till.json, and waiting messages are left to the original. Throws `machine.settled`, `machine.terminals`.
   */
  declareCopy(terminalIds: readonly string[]): void;
  /** Sales of these other tills do not count as missing from this journal, whatever their terminal ids are. */
  knowSalesOf(others: OtherTills): void;
};

type OtherTills = Pick<TakenOverTills, 'sales'>;

type PlaceParts = {
  dataDir: string;
  boundTo?: { identity: MachineIdentity | undefined } | undefined;
  config: Config;
  journal: Journal;
  ledger: FullLedger;
  outbox: Outbox;
  books: Books;
  host: Host;
  gateway: string;
  plain: PlainGateway;
  line: LineWatch;
  clock: Clock;
  time: Pick<TrustedTime, 'now'>;
  ids: Ids;
  random: Random;
  report(error: unknown): void;
};

const terminalsIn = ({ terminalId, terminals = [] }: Config): string[] => [
  terminalId,
  ...terminals.map((one) => one.terminalId),
];

export const openPlace = (parts: PlaceParts): PlacedTill => {
  const { boundTo, journal, config, host, plain, random } = parts;
  const binding = boundTo === undefined ? 'unbound' : bindingOf(journal, boundTo.identity, random);
  const terminalIds = terminalsIn(config);
  // Sales from here on are this till's own, and no copy knows them.
  const startedWith = journal.length;
  let others: OtherTills | undefined;
  const inquiry = {
    journal,
    host,
    terminalIds,
    report: parts.report,
    now: () => parts.time.now().at,
    lastAnswerAt: () => lastAnswerIn(parts),
    foreignSales: () => saleIdsOf(others, parts),
  };
  const comparison = openComparison(inquiry);
  const place = { binding, plain, comparison: boundTo === undefined ? undefined : comparison };
  return {
    ...place,
    compared: () => compareInTime(place, parts),
    takeOver() {
      const { currency, secondCopy } = config;
      return takeOver({ ...parts, comparison, terminalIds, currency, startedWith, secondCopy });
    },
    moved() {
      refuseSettled(place);
      journal.sql.atomically(() => {
        // The machine that the folder was moved from can have sent these messages.
        journal.sql.run("UPDATE message SET tried = 1 WHERE state IN ('waiting', 'parked')");
        bindTo(journal.sql, boundTo?.identity, random);
      });
    },
    declareCopy: (inputs) => becomeCopy(parts, place, inputs),
    knowSalesOf(input) {
      others = input;
    },
  };
};

const refuseSettled = ({ binding }: TillPlace): void => {
  if (binding !== 'elsewhere') throw new Fault('machine.settled');
};

/**
 * Writes till.json first, then the journal: if interrupted in between, the folder still belongs to another machine, and
 * the question is asked again. The original alone closes its batches and sends what waits here.
 */
const becomeCopy = (parts: PlaceParts, place: TillPlace, inputs: readonly string[]): void => {
  const { dataDir, journal, outbox, ids, random, boundTo } = parts;
  refuseSettled(place);
  const before = loadConfig(dataDir, ids);
  const own = ownTerminals(journal, terminalsIn(parts.config));
  refuseNumbers(inputs, own, before);
  changeConfig(dataDir, ids, ({ terminals, secondCopy: _, ...config }) => ({
    ...config,
    terminalId: inputs[0] ?? config.terminalId,
    terminals: terminals?.map((one, i) => ({ ...one, terminalId: inputs[i + 1] ?? one.terminalId })),
  }));
  const waiting = [...outbox.waiting(), ...outbox.parked()].map(({ id }) => id);
  leaveToOriginal(journal, waiting, () => {
    leaveTerminals(journal.sql, [...own]);
    bindTo(journal.sql, boundTo?.identity, random);
  });
};

const refuseNumbers = (inputs: readonly string[], own: ReadonlySet<string>, config: Config): void => {
  const counters = terminalsIn(config).map((_, i) => `T${i + 1}`);
  const refuse = (why: string): Fault => new Fault('machine.terminals', { why, counters: counters.join(', ') });
  if (inputs.length !== counters.length) throw refuse(`${inputs.length} were given for ${counters.length}`);
  const malformed = inputs.find((one) => !/^\d{1,32}$/.test(one));
  if (malformed !== undefined) throw refuse('each must have 1 to 32 digits and nothing else');
  const takenNumber = inputs.find((one) => own.has(one));
  if (takenNumber !== undefined) throw refuse(`${takenNumber} is the original's`);
  if (new Set(inputs).size !== inputs.length) throw refuse('two of them are the same');
};

const SOON_MS = 3_000;

/** A customer is waiting: a line known to be down is not asked, and no answer is awaited for long. */
const compareInTime = (place: TillPlace, { line, clock, report }: PlaceParts): Promise<void> | undefined => {
  const { comparison } = place;
  const now = comparison?.state();
  if (comparison === undefined || now?.state !== 'due' || now.refused !== undefined) return undefined;
  if (!line.current().online || place.binding === 'elsewhere') return undefined;
  const request = comparison.look().then(() => undefined);
  return within(clock, SOON_MS, request, () => new Fault('machine.uncompared')).catch(report);
};

/** The most recent sales to look through: sales without an answer give no time. */
const LOOK_BACK = 50;

const lastAnswerIn = ({ ledger }: PlaceParts): number | undefined => {
  const times = ledger.sales(LOOK_BACK).flatMap(({ answer }) => {
    const at = gatewayTime(answer?.timestamp);
    return at === undefined ? [] : [at];
  });
  return times.length === 0 ? undefined : Math.max(...times);
};

/** Data of other tills never stops this one. */
const saleIdsOf = (others: OtherTills | undefined, { report }: PlaceParts): ReadonlySet<string> => {
  try {
    return new Set(others?.sales().map(({ sale }) => sale.intent.sale));
  } catch (error) {
    report(error);
    return new Set();
  }
};
