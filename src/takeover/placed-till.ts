/** A till and the machine that it is on: what it finds there at a start, and what a manager says about it. */
import type { TakenOver } from '../api/ports/machine.ts';
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
   * Before a sale: gives the gateway a moment to tell what it knows, if it was not asked since the start. Undefined
   * when nothing is to be waited for.
   */
  compared(): Promise<void> | undefined;
  /** Throws what `takeOver` throws. */
  takeOver(): Promise<TakenOver>;
  /**
   * The folder was moved here, and nobody sells with it elsewhere. What waits is asked for before it is sent. Holds
   * from the next start on. Throws `machine.settled`.
   */
  moved(): void;
  /**
   * The folder is a copy, and the original goes on. From the next start on its terminals have these numbers, in the
   * order of till.json; what waits is the original's. Throws `machine.settled`, `machine.terminals`.
   */
  copied(terminalIds: readonly string[]): void;
  /** Sales of these other tills are none that this one's journal lacks, whatever their terminal's number. */
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
  // What is begun from here on is this till's own: no copy knows of it.
  const startedWith = journal.length;
  let others: OtherTills | undefined;
  const asking = {
    journal,
    host,
    terminalIds,
    report: parts.report,
    now: () => parts.time.now().at,
    lastAnswerAt: () => lastAnswerIn(parts),
    foreignSales: () => saleIdsOf(others, parts),
  };
  const comparison = openComparison(asking);
  const place = { binding, plain, comparison: boundTo === undefined ? undefined : comparison };
  return {
    ...place,
    compared: () => comparedSoon(place, parts),
    takeOver() {
      const { currency, secondCopy } = config;
      return takeOver({ ...parts, comparison, terminalIds, currency, startedWith, secondCopy });
    },
    moved() {
      refuseSettled(place);
      journal.sql.atomically(() => {
        // The machine that it was moved from may have sent it.
        journal.sql.run("UPDATE message SET tried = 1 WHERE state IN ('waiting', 'parked')");
        bindTo(journal.sql, boundTo?.identity, random);
      });
    },
    copied: (given) => becomeCopy(parts, place, given),
    knowSalesOf(given) {
      others = given;
    },
  };
};

const refuseSettled = ({ binding }: TillPlace): void => {
  if (binding !== 'elsewhere') throw new Fault('machine.settled');
};

/**
 * First till.json, then the journal: cut between the two, the folder still belongs to another machine, and is asked
 * again. The original's batches are closed by the original alone, and what waits here is sent by it.
 */
const becomeCopy = (parts: PlaceParts, place: TillPlace, given: readonly string[]): void => {
  const { dataDir, journal, outbox, ids, random, boundTo } = parts;
  refuseSettled(place);
  const before = loadConfig(dataDir, ids);
  const own = ownTerminals(journal, terminalsIn(parts.config));
  refuseNumbers(given, own, before);
  changeConfig(dataDir, ids, ({ terminals, secondCopy: _, ...config }) => ({
    ...config,
    terminalId: given[0] ?? config.terminalId,
    terminals: terminals?.map((one, at) => ({ ...one, terminalId: given[at + 1] ?? one.terminalId })),
  }));
  const waiting = [...outbox.waiting(), ...outbox.parked()].map(({ id }) => id);
  leaveToOriginal(journal, waiting, () => {
    leaveTerminals(journal.sql, [...own]);
    bindTo(journal.sql, boundTo?.identity, random);
  });
};

const refuseNumbers = (given: readonly string[], own: ReadonlySet<string>, config: Config): void => {
  const counters = terminalsIn(config).map((_, at) => `T${at + 1}`);
  const refuse = (why: string): Fault => new Fault('machine.terminals', { why, counters: counters.join(', ') });
  if (given.length !== counters.length) throw refuse(`${given.length} were given for ${counters.length}`);
  const malformed = given.find((one) => !/^\d{1,32}$/.test(one));
  if (malformed !== undefined) throw refuse('each has 1 to 32 digits, and nothing else');
  const taken = given.find((one) => own.has(one));
  if (taken !== undefined) throw refuse(`${taken} is the original's`);
  if (new Set(given).size !== given.length) throw refuse('two of them are the same');
};

const SOON_MS = 3_000;

/** A customer waits: a line that is known to be down is not asked, and no answer is waited for long. */
const comparedSoon = (place: TillPlace, { line, clock, report }: PlaceParts): Promise<void> | undefined => {
  const { comparison } = place;
  const now = comparison?.state();
  if (comparison === undefined || now?.state !== 'due' || now.refused !== undefined) return undefined;
  if (!line.now().online || place.binding === 'elsewhere') return undefined;
  const asked = comparison.look().then(() => undefined);
  return within(clock, SOON_MS, asked, () => new Fault('machine.uncompared')).catch(report);
};

/** Among so many of the last sales: those that were not answered tell no time. */
const LOOK_BACK = 50;

const lastAnswerIn = ({ ledger }: PlaceParts): number | undefined => {
  const times = ledger.sales(LOOK_BACK).flatMap(({ answer }) => {
    const at = gatewayTime(answer?.timestamp);
    return at === undefined ? [] : [at];
  });
  return times.length === 0 ? undefined : Math.max(...times);
};

/** What came from another till never stops this one. */
const saleIdsOf = (others: OtherTills | undefined, { report }: PlaceParts): ReadonlySet<string> => {
  try {
    return new Set(others?.sales().map(({ sale }) => sale.intent.sale));
  } catch (error) {
    report(error);
    return new Set();
  }
};
