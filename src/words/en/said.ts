/** English is what the till itself says: only some faults need other words on a screen. */
import type { SaidTables } from '../said.ts';
import { faults } from './faults.ts';

export const english: SaidTables = { reasons: {}, faults };
