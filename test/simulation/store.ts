/** What the tills of a simulated store share: the time, the outgoing line, the gateway and the issuer's books. */
import { type IssuerBooks, issuerBooks } from '../support/till/issuer-books.ts';
import { type VirtualClock, virtualClock } from '../support/time/virtual-clock.ts';
import type { PlantedBug } from './planted-bugs.ts';

export type Store = {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly issuer: IssuerBooks;
  readonly plantedBug: PlantedBug | undefined;
  /** Every broken rule as a text; the first is the actual failure. */
  readonly problems: string[];
  /** Takes the line down for this time; zero ends it. */
  lineDown(ms: number): void;
  readonly isLineDown: boolean;
  /** Nothing fails from here on. */
  heal(): void;
  readonly isHealed: boolean;
};

/** Which amounts are approved in part, and which are declined. */
const approves = (amount: string): boolean | { part: string } => {
  if (amount.endsWith('3')) return false;
  return amount.endsWith('77') ? { part: '0.77' } : true;
};

export const openStore = (seed: number, plantedBug: PlantedBug | undefined): Store => {
  const clock = virtualClock();
  let downUntilMs = 0;
  let healed = false;
  return {
    seed,
    clock,
    plantedBug,
    issuer: issuerBooks(approves, () => 'test', clock),
    problems: [],
    lineDown(ms) {
      downUntilMs = clock.monotonic() + ms;
    },
    get isLineDown() {
      return clock.monotonic() < downUntilMs;
    },
    heal() {
      healed = true;
      downUntilMs = 0;
    },
    get isHealed() {
      return healed;
    },
  };
};
