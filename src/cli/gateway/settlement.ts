/** `gateway settlement`: the batches of a channel, their files (spec 2.36), and the deliveries of those. */
import type { Command } from 'commander';
import { DAY_MS, dateTime, systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { printMoney } from '../../base/money.ts';
import type { Channel } from '../../gateway/channel.ts';
import { makeBatch } from '../../gateway/reports/batch.ts';
import { deliver } from '../../gateway/reports/delivery.ts';
import { placeFile } from '../../gateway/reports/placed-file.ts';
import type { SettlementSettings } from '../../gateway/reports/settings-shape.ts';
import { endOfDay } from '../../gateway/reports/settlement-day.ts';
import { batchFile, provisionalFile } from '../../gateway/reports/settlement-file.ts';
import { termsOf } from '../../gateway/reports/terms.ts';
import type { DeliveryTarget, Settlement } from '../../gateway/store/settlement-store.ts';
import type { Store } from '../../gateway/store/store.ts';
import { malformed, optionsOf } from '../arguments.ts';
import { print, progressBar, tell } from '../terms.ts';
import { count } from '../till-options.ts';
import { type ChannelOptions, settlementChannel, withChannel, withStore } from './settlement-channel.ts';

type Flags = ChannelOptions & { date?: string; out?: string; json?: boolean };

export const addSettlement = (gateway: Command): void => {
  const settlement = shared(gateway.command('settlement'))
    .description('write the settlement file of a day, for till batch reconcile')
    .option('--out <file>', 'a new file; default: in the channel’s settlement folder')
    .addHelpText('after', AFTERWORDS)
    .action(acting(write));
  shared(settlement.command('list'))
    .description('the batches, newest first, with what they pay out')
    .action(acting(list));
  shared(settlement.command('status'))
    .description('where the file of a day is: in the folder, being sent, or on the server')
    .action(acting(status));
  shared(settlement.command('send'))
    .description('write the file of a day to the channel’s folder and send it to its server now')
    .action(acting(send));
};

const acting =
  (work: (flags: Flags) => Promise<void>) =>
  (_: unknown, command: Command): Promise<void> =>
    work(optionsOf<Flags>(command));

const AFTERWORDS = `
A day that is over gets a batch, which is stored first, so that every later file of the day has the same bytes. The file
of a day that is not over is provisional, and nothing is stored. A payment that ends after its day was settled is in
the next batch.`;

const shared = (command: Command): Command =>
  withChannel(command).option('--date <day>', 'YYYY-MM-DD, in the channel’s time zone');

const dayIn = ({ date }: Flags): string => {
  const day = new Date(`${date}T00:00:00Z`);
  if (date !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === date) return date;
  throw malformed(`--date is a day such as 2026-01-31, not "${date ?? ''}"`);
};

const write = async (flags: Flags): Promise<void> => {
  const date = dayIn(flags);
  const channel = settlementChannel(flags);
  await withStore(flags, async (store) => {
    const { out } = flags;
    if (out === undefined)
      return toTargets(store, { channel: settledChannel(channel), date, flags, targets: ['folder'] });
    const isOver = endOfDay(date, termsOf(channel)) <= systemClock.now();
    const batch = isOver ? await made(store, channel, date) : undefined;
    const lines = { count: 0 };
    const pieces = batch === undefined ? provisionalFile(store, date, termsOf(channel)) : batchFile(store, batch.id);
    const placed = await place(out, counting(pieces, lines));
    const result = { file: out, date, records: lines.count, ...placed, batch: batch?.id };
    if (flags.json === true) print(JSON.stringify({ ...result, provisional: batch === undefined }));
    const kind = batch === undefined ? ' The day is not over: this file is provisional.' : '';
    if (flags.json !== true) tell(`${out}: ${count(lines.count, 'record')} of ${date}.${kind}`);
  });
};

/** Counts the records while they are written: cells contain no line breaks, so each record is one line. */
async function* counting(pieces: AsyncIterable<Buffer>, lines: { count: number }): AsyncGenerator<Buffer> {
  let seen = -1;
  for await (const piece of pieces) {
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) seen += 1;
    lines.count = Math.max(seen, 0);
    yield piece;
  }
}

const place = async (path: string, pieces: AsyncIterable<Uint8Array>) => {
  try {
    const { bytes, hash } = await placeFile({
      path,
      pieces,
      id: systemIds.next(),
      now: systemClock.now(),
      isExclusive: true,
    });
    return { bytes, hash };
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    throw malformed(`${path} is there already`);
  }
};

const made = async (store: Store, channel: Channel, date: string): Promise<Settlement> => {
  const terms = termsOf(channel);
  const before = endOfDay(date, terms);
  const { total } = await store.search({ entityId: terms.entityId, from: before - DAY_MS, to: before, limit: 1 });
  const bar = progressBar(total);
  try {
    return await makeBatch({ store, clock: systemClock, terms, onProgress: (records) => bar.at(records) }, date);
  } finally {
    bar.end();
  }
};

const settledChannel = (channel: Channel): Channel & { settlement: SettlementSettings } => {
  const { settlement } = channel;
  if (settlement !== undefined) return { ...channel, settlement };
  throw malformed('the channel has no settlement folder in its configuration: give --out <file>');
};

const send = async (flags: Flags): Promise<void> => {
  const date = dayIn(flags);
  const channel = settledChannel(settlementChannel(flags));
  if (channel.settlement.sftp === undefined)
    throw malformed('the channel has no sftp in its settlement: there is nowhere to send to');
  await withStore(flags, (store) => toTargets(store, { channel, date, flags, targets: ['folder', 'sftp'] }));
};

type Targets = {
  channel: Channel & { settlement: SettlementSettings };
  date: string;
  flags: Flags;
  targets: readonly DeliveryTarget[];
};

const toTargets = async (store: Store, { channel, date, flags, targets }: Targets): Promise<void> => {
  const batch = await made(store, channel, date);
  const { folder, sftp } = channel.settlement;
  for (const target of targets) {
    const bar = progressBar(1_000);
    const progress = (done: number, of: number): void => bar.at(of === 0 ? 0 : Math.round((done / of) * 1_000));
    const parts = { store, clock: systemClock, ids: systemIds, channel, progress };
    const done = await deliver(parts, { batch, target, isForced: true }).finally(() => bar.end());
    const where = target === 'folder' ? folder : (sftp?.host ?? '');
    if (flags.json === true) print(JSON.stringify({ date, batch: batch.id, target, where, ...done }));
    else tell(`${date} is ${target === 'folder' ? 'in' : 'on'} ${where}: ${done?.bytes ?? 0} bytes.`);
  }
};

/** The most batches in a list: a year of them. */
const LISTED = 366;

const list = async (flags: Flags): Promise<void> => {
  const { entityId } = settlementChannel(flags);
  await withStore(flags, async (store) => {
    const batches = await store.settlements.list(entityId, LISTED);
    const all = await Promise.all(batches.map((batch) => batchSums(store, batch)));
    if (flags.json === true) return print(JSON.stringify({ entityId, batches: all }, null, 2));
    if (all.length === 0) return print('There are no batches yet: gateway settlement --date <day> makes one.');
    for (const line of all.flatMap(batchLines)) print(line);
  });
};

const status = async (flags: Flags): Promise<void> => {
  const date = dayIn(flags);
  const { entityId } = settlementChannel(flags);
  await withStore(flags, async (store) => {
    const batch = await store.settlements.ofDay(entityId, date);
    if (batch === undefined) throw malformed(`there is no batch of ${date}`);
    const deliveries = await store.settlements.deliveries(batch.id);
    const sums = await batchSums(store, batch);
    if (flags.json === true) return print(JSON.stringify({ ...sums, deliveries }, null, 2));
    for (const line of batchLines(sums)) print(line);
    if (deliveries.length === 0) print('Its file has not been written yet.');
    for (const { target, doneAt, tries, nextAt, why, bytes } of deliveries) {
      const done = `done ${dateTime(doneAt ?? 0)} UTC, ${bytes ?? 0} bytes`;
      const open = `tries so far: ${tries}, again after ${dateTime(nextAt)} UTC${why === undefined ? '' : `: ${why}`}`;
      print(`${target.padEnd(8)}${doneAt === undefined ? open : done}`);
    }
  });
};

/** Amounts for people, in the settlement currency. */
const batchSums = async (store: Store, { id, day, madeAt, closedAt }: Settlement) => {
  const sums = await store.settlements.sumsOf(id);
  return {
    id,
    date: day,
    madeAt: dateTime(madeAt),
    closed: closedAt !== undefined,
    sums: sums.map(({ currency, settlementCurrency, testMode, records, paidMinor, takenMinor, feeMinor }) => {
      const shown = (minor: bigint): string => printMoney({ minor, currency: settlementCurrency });
      return {
        currency,
        testMode,
        records,
        paid: shown(paidMinor),
        taken: shown(takenMinor),
        fees: shown(feeMinor),
        net: shown(paidMinor - takenMinor),
      };
    }),
  };
};

const batchLines = ({ id, date, closed, sums }: Awaited<ReturnType<typeof batchSums>>): string[] => {
  const state = closed ? '' : '  being made';
  if (sums.length === 0) return [`${date}  ${id}  nothing to pay out${state}`];
  return sums.map(({ currency, testMode, records, net, fees }) => {
    const what = [date, id, `${currency} ${testMode.toLowerCase()}`, count(records, 'record')];
    return `${what.join('  ')}  ${net} net, ${fees} fees${state}`;
  });
};
