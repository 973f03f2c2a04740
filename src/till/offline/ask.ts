/** What is asked before something goes on without the gateway, and what is looked at to answer. */
import type { Money } from '../../base/money.ts';
import type { CardFacts, Operation } from '../machine/facts.ts';
import type { Exposure, OfflineLimits, OfflineMoment } from './limits.ts';

export type OfflineAsk = {
  readonly operation: Operation;
  readonly amount: Money;
  /** Left out for what follows a payment. */
  readonly card?: CardFacts;
  /** Who is signed in. */
  readonly cashier?: string;
};

export type OfflineFacts = {
  readonly limits: OfflineLimits;
  readonly exposure: Exposure;
  readonly moment: OfflineMoment;
};
