/** The contract's cases by topic. */
import type { Case } from './terminal.ts';
import { cards } from './terminal-cards.ts';
import { customerCases } from './terminal-customers.ts';
import { healthCases } from './terminal-health.ts';
import { strangerCases } from './terminal-strangers.ts';
import { tillCases } from './terminal-till.ts';
import { troubleCases } from './terminal-trouble.ts';

export const rooms = {
  cards,
  customers: customerCases,
  trouble: troubleCases,
  health: healthCases,
  strangers: strangerCases,
  till: tillCases,
} as const satisfies Record<string, readonly Case[]>;

export type Room = keyof typeof rooms;
