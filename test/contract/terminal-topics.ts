/** The contract's cases by topic. */
import type { Case } from './terminal.ts';
import { cards } from './terminal-cards.ts';
import { customerCases } from './terminal-customers.ts';
import { foreignClientCases } from './terminal-foreign-clients.ts';
import { healthCases } from './terminal-health.ts';
import { tillCases } from './terminal-till.ts';
import { troubleCases } from './terminal-trouble.ts';

export const topics = {
  cards,
  customers: customerCases,
  trouble: troubleCases,
  health: healthCases,
  strangers: foreignClientCases,
  till: tillCases,
} as const satisfies Record<string, readonly Case[]>;

export type Topic = keyof typeof topics;
