/** The terms of a channel's settlement: what is set for it, and what counts where nothing is set. */
import { type Channel, isLive } from '../channel.ts';
import type { FeeRule } from './settings.ts';

/** What a batch is made by. */
export type Terms = {
  readonly entityId: string;
  /** The merchant's entity, of a channel that has one. */
  readonly merchant?: string;
  readonly name: string;
  readonly timeZone: string;
  /** Minutes of the day, 1 to 1440. */
  readonly cutOff: number;
  /** Minutes of the day. */
  readonly at: number;
  readonly live: boolean;
  readonly fees: readonly FeeRule[];
  readonly currency?: string;
  readonly rates: Readonly<Record<string, string>>;
  readonly acquirer: { readonly name: string; readonly merchantId: string };
};

/** What the simulated acquirer keeps where no schedule is set: 1.2 % and five cents, and what merchants cost. */
export const usualFees: readonly FeeRule[] = [
  { percentage: '1.2', fixed: '0.05' },
  { type: 'SUBMERCHANT', fixed: '0.10' },
  { type: 'PAYMENT_FACILITATOR', fixed: '0.20' },
];

export const simulatedAcquirer = { name: 'Simulated acquirer', merchantId: '000000012345678' };

/** Who settles a live channel that names nobody: its settlement has to (channel-shape.ts). */
const unnamedAcquirer = { name: '', merchantId: '' };

/**
 * The terms of a channel: midnight to midnight in UTC, and the simulated acquirer's fees, where nothing is set. Nobody
 * knows what a live channel's acquirer keeps unless it is set.
 */
export const termsOf = ({ entityId, merchant, name = '', mode, fees, settlement }: TermsOf): Terms => ({
  entityId,
  ...(merchant === undefined ? {} : { merchant }),
  name,
  timeZone: settlement?.timeZone ?? 'UTC',
  cutOff: minutesOf(settlement?.cutOff ?? '24:00') || MINUTES,
  at: minutesOf(settlement?.at ?? '03:00'),
  live: isLive({ mode }),
  fees: fees ?? (isLive({ mode }) ? [] : usualFees),
  ...(settlement?.currency === undefined ? {} : { currency: settlement.currency }),
  rates: settlement?.rates ?? {},
  acquirer: settlement?.acquirer ?? (isLive({ mode }) ? unnamedAcquirer : simulatedAcquirer),
});

export type TermsOf = Pick<Channel, 'entityId' | 'merchant' | 'name' | 'mode' | 'fees' | 'settlement'>;

const MINUTES = 24 * 60;

const minutesOf = (text: string): number => {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
};
