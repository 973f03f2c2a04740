/** `gateway chargebacks`: books an acquirer's list of chargebacks, and lists those that were imported. */
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { dateTime, systemClock } from '../../base/clock.ts';
import { errorText, Fault } from '../../base/fault.ts';
import { readTextFile } from '../../base/files.ts';
import { systemIds, systemRandom } from '../../base/ids.ts';
import { type ImportedChargeback, importChargeback } from '../../gateway/reports/chargeback-import.ts';
import { parseChargebacks } from '../../gateway/reports/chargeback-list.ts';
import { openGateway } from '../../gateway/server/embedded.ts';
import { optionsOf } from '../arguments.ts';
import { print, progressBar, tell } from '../terms.ts';
import { count } from '../till-options.ts';
import { type ChannelOptions, settlementChannel, withChannel, withStore } from './settlement-channel.ts';

type Flags = ChannelOptions & { json?: true };

export const addChargebacks = (gateway: Command, vaultKey?: string): void => {
  const chargebacks = gateway.command('chargebacks').description('an acquirer’s chargebacks');
  withChannel(chargebacks.command('import'))
    .argument(
      '<file>',
      'CSV or JSON with the columns of the settlement file; SettlementTxId, Amount, Currency at least',
    )
    .description('book the chargebacks of a list; importing it again books nothing twice')
    .action((file: string, _: unknown, command: Command) => load(file, optionsOf<Flags>(command), vaultKey));
  withChannel(chargebacks.command('list'))
    .description('the imported chargebacks, newest first, with their payments')
    .action((_: unknown, command: Command) => list(optionsOf<Flags>(command)));
};

const load = async (file: string, flags: Flags, vaultKey: string | undefined): Promise<void> => {
  const listed = parseChargebacks(textOf(file), file);
  const channel = settlementChannel(flags);
  const { data = 'data', database } = flags;
  // Opened first only to refuse a folder without a gateway: none is created there.
  await withStore(flags, async (store) => store.ping());
  // Only a running gateway makes settlement batches.
  const { settlement: _, ...rest } = channel;
  const opened = await openGateway({
    dataDir: data,
    database,
    vaultKey,
    channels: [rest],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
    report: (error) => tell(`Inside the gateway: ${errorText(error)}`),
  });
  const all: ImportedChargeback[] = [];
  const bar = progressBar(listed.length);
  try {
    for (const one of listed) {
      all.push(await importChargeback({ gateway: opened.gateway, channel: rest }, one));
      bar.at(all.length);
    }
  } finally {
    bar.end();
    await opened.close();
  }
  if (flags.json === true) print(JSON.stringify({ file, chargebacks: all }, null, 2));
  else for (const line of wordsFor(all)) print(line);
};

const BYTES_MOST = 64 * 1024 * 1024;

const textOf = (file: string): string => {
  try {
    if (statSync(file).size > BYTES_MOST) throw new Error('it is larger than 64 MiB');
    return readTextFile(file);
  } catch (error) {
    throw new Fault('chargebacks.unreadable', { file, why: errorText(error) }, error);
  }
};

const outcomes = {
  booked: 'booked',
  kept: 'stored: no payment matches for certain',
  known: 'imported before',
  open: 'NOT BOOKED YET: import the list again',
} as const;

const wordsFor = (all: readonly ImportedChargeback[]): string[] => {
  const lines = all.map(({ id, outcome, status, matched, chargebackId, why }) => {
    const own = chargebackId === undefined ? '' : `  chargeback ${chargebackId}`;
    const of = matched.length === 0 ? '' : `  of ${matched.join(', ')}`;
    return `${id}  ${status}${of}${own}  ${outcomes[outcome]}${why === undefined ? '' : `: ${why}`}`;
  });
  const booked = all.filter(({ outcome }) => outcome === 'booked').length;
  return [...lines, `${count(booked, 'chargeback')} booked of ${all.length}.`];
};

const LISTED = 500;

const list = async (flags: Flags): Promise<void> => {
  const { entityId } = settlementChannel(flags);
  await withStore(flags, async (store) => {
    const notices = await store.settlements.notices({ entityId, limit: LISTED });
    if (flags.json === true) return print(JSON.stringify({ entityId, chargebacks: notices }, null, 2));
    if (notices.length === 0) return print('No chargebacks have been imported yet.');
    for (const { id, at, status, chargebackId = '', facts } of notices) {
      const { recordType, amount, currency, matched } = facts;
      const what = [dateTime(at), id, recordType, `${amount} ${currency}`, status, matched.join(', '), chargebackId];
      print(what.join('  ').trimEnd());
    }
  });
};
