/**
 * Writes down the tables that the oldest version which may open today's files knows: `node
 * test/support/future/write-baseline.ts`. Only after a step that contracts: until then no version takes from them.
 */
import { writeFileSync } from 'node:fs';
import { baselineFile, tablesOfToday } from './today.ts';

writeFileSync(baselineFile, `${JSON.stringify(await tablesOfToday(), null, 2)}\n`);
