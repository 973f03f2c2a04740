/**
 * Delivers closed batches: a file in the channel's folder, and from there to its SFTP server. Each attempt is recorded
 * before it is made, so that only one of several gateways makes it.
 */
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { errorText, Fault } from '../../base/fault.ts';
import type { Ids } from '../../base/ids.ts';
import { printable } from '../../base/mask.ts';
import { type BackgroundJob, startRounds } from '../background-jobs.ts';
import type { Channel } from '../channel.ts';
import type { DeliveryTarget, Settlement, SettlementDelivery } from '../store/settlement-store.ts';
import type { Store } from '../store/store.ts';
import { hurry } from './batch.ts';
import { hashOfFile, placeFile } from './placed-file.ts';
import type { SettlementSettings } from './settings-shape.ts';
import { batchFile, fileNameOf } from './settlement-file.ts';
import { termsOf } from './terms.ts';

export type DeliveryParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly channel: Channel & { readonly settlement: SettlementSettings };
  readonly onProgress?: (done: number, of: number) => void;
};

type DeliveredFile = { readonly bytes: number; readonly hash: string };

/** After this time another gateway considers an attempt dead. */
const LEASE_MS = 10 * 60_000;
const FIRST_WAIT_MS = 60_000;
const WAIT_MOST_MS = 60 * 60_000;

/** Delivers everything that is due, the oldest day first. A failure is reported and retried later. */
export const deliverDue = async (delivering: DeliveryParts, report: (error: unknown) => void): Promise<void> => {
  const { store, clock, channel } = delivering;
  const { entityId, settlement } = channel;
  const targets: readonly DeliveryTarget[] = settlement.sftp === undefined ? ['folder'] : ['folder', 'sftp'];
  for (const target of targets) {
    for (const batch of await store.settlements.undelivered({ entityId, target, now: clock.now() })) {
      await deliver(delivering, { batch, target }).catch(report);
    }
  }
};

type DeliveryRequest = {
  readonly batch: Settlement;
  readonly target: DeliveryTarget;
  /** Requested by a person: deliver now, even if it was delivered before. */
  readonly isForced?: boolean;
};

/**
 * Delivers one batch to one target; undefined if another process is at it, or it was already delivered. Throws why it
 * failed, after recording that with the time of the next attempt.
 */
export const deliver = async (delivering: DeliveryParts, job: DeliveryRequest): Promise<DeliveredFile | undefined> => {
  const { store, clock } = delivering;
  const attemptCount = await lease(delivering, job);
  if (attemptCount === undefined) return undefined;
  const { batch, target } = job;
  const recordDelivery = (delivery: Omit<SettlementDelivery, 'settlementId' | 'target' | 'tries'>) =>
    store.transact([lockNameOf(job)], ({ settlements }) =>
      settlements.keepDelivery({ settlementId: batch.id, target, tries: attemptCount, ...delivery }),
    );
  try {
    const { bytes, hash } = await deliverers[target](delivering, batch);
    const doneAt = clock.now();
    await recordDelivery({ nextAt: doneAt, doneAt, bytes, hash });
    return { bytes, hash };
  } catch (error) {
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attemptCount - 1, 10), WAIT_MOST_MS);
    await recordDelivery({ nextAt: clock.now() + waitMs, why: printable(errorText(error), 300) });
    throw error;
  }
};

const lockNameOf = ({ batch, target }: DeliveryRequest): string => `delivery ${batch.id} ${target}`;

/** The number of this attempt, if it is ours to make. */
const lease = ({ store, clock }: DeliveryParts, request: DeliveryRequest): Promise<number | undefined> =>
  store.transact([lockNameOf(request)], async ({ settlements }) => {
    const { batch, target, isForced: anew = false } = request;
    const earlier = (await settlements.deliveries(batch.id)).find((each) => each.target === target);
    const now = clock.now();
    if (!anew && earlier !== undefined && (earlier.doneAt !== undefined || earlier.nextAt > now)) return undefined;
    const attemptCount = (earlier?.tries ?? 0) + 1;
    await settlements.keepDelivery({ settlementId: batch.id, target, tries: attemptCount, nextAt: now + LEASE_MS });
    return attemptCount;
  });

const pathOf = ({ channel }: DeliveryParts, batch: Settlement): string =>
  join(channel.settlement.folder, fileNameOf(batch));

const deliverToFolder = ({ store, clock, ids, ...rest }: DeliveryParts, batch: Settlement): Promise<DeliveredFile> =>
  placeFile({
    path: pathOf({ store, clock, ids, ...rest }, batch),
    pieces: batchFile(store, batch.id, (done) => rest.onProgress?.(done, batch.records)),
    id: ids.next(),
    now: clock.now(),
  });

const deliverToServer = async (delivering: DeliveryParts, batch: Settlement): Promise<DeliveredFile> => {
  const { sftp } = delivering.channel.settlement;
  if (sftp === undefined)
    throw new Fault('settlement.unsent', { file: fileNameOf(batch), host: '?', why: 'none is set' });
  const path = pathOf(delivering, batch);
  const { uploadFile } = await import('./sftp-upload.ts');
  // The folder may have been cleaned up, or be another gateway's: the batch is the same everywhere.
  const placed = (await delivering.store.settlements.deliveries(batch.id)).find(({ target }) => target === 'folder');
  const local = await hashOfFile(path);
  if (local === undefined || (placed?.hash !== undefined && placed.hash !== local.hash))
    await deliverToFolder(delivering, batch);
  try {
    return await uploadFile(path, sftp, delivering.onProgress);
  } catch (error) {
    throw new Fault('settlement.unsent', { file: fileNameOf(batch), host: sftp.host, why: errorText(error) }, error);
  }
};

const deliverers: Readonly<Record<DeliveryTarget, typeof deliverToFolder>> = {
  folder: deliverToFolder,
  sftp: deliverToServer,
};

// The daily settlement of a gateway's channels: batches when they are due, and then their files.

export type Daily = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly channels: readonly Channel[];
  readonly report: (error: unknown) => void;
};

type SettledChannel = Channel & { readonly settlement: SettlementSettings };

const isSettled = (channel: Channel): channel is SettledChannel => channel.settlement !== undefined;

/** A file is at most a minute late. */
const EVERY_MS = 60_000;

/** No jobs if no channel has `settlement`. A failing channel does not keep another from its file. */
export const settleDaily = ({ store, clock, ids, channels, report }: Daily): readonly BackgroundJob[] => {
  const settled = channels.filter(isSettled);
  if (settled.length === 0) return [];
  const settleDue = async (): Promise<undefined> => {
    for (const channel of settled) {
      try {
        await hurry({ store, clock, terms: termsOf(channel) });
        await deliverDue({ store, clock, ids, channel }, report);
      } catch (error) {
        report(error);
      }
    }
  };
  return [startRounds({ clock, everyMs: EVERY_MS, runRound: settleDue, report })];
};
