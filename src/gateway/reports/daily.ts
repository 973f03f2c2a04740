/** The daily settlement of a gateway's channels: batches when their time has come, and then their files. */
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { type BackgroundJob, rounds } from '../background-jobs.ts';
import type { Channel } from '../channel.ts';
import type { Store } from '../store/store.ts';
import { makeDue } from './batch.ts';
import { deliverDue } from './delivery.ts';
import type { SettlementSettings } from './settings.ts';
import { termsOf } from './terms.ts';

export type Daily = {
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly channels: readonly Channel[];
  readonly report: (error: unknown) => void;
};

type Settled = Channel & { readonly settlement: SettlementSettings };

const isSettled = (channel: Channel): channel is Settled => channel.settlement !== undefined;

/** A file is a minute late at most. */
const EVERY_MS = 60_000;

/** Nothing where no channel has `settlement`. One channel's trouble keeps no other from its file. */
export const settleDaily = ({ store, clock, ids, channels, report }: Daily): readonly BackgroundJob[] => {
  const settled = channels.filter(isSettled);
  if (settled.length === 0) return [];
  const round = async (): Promise<undefined> => {
    for (const channel of settled) {
      try {
        await makeDue({ store, clock, terms: termsOf(channel) });
        await deliverDue({ store, clock, ids, channel }, report);
      } catch (error) {
        report(error);
      }
    }
  };
  return [rounds({ clock, everyMs: EVERY_MS, round, report })];
};
