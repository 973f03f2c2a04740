/**
 * Records the tables known to the oldest version that can open today's files: `node
 * test/support/future/write-baseline.ts`. Run it only after a step that contracts: until then no version takes anything
 * from them.
 */
import { writeFileSync } from 'node:fs';
import { baselineFile, tablesOfToday } from './today.ts';

writeFileSync(baselineFile, `${JSON.stringify(await tablesOfToday(), null, 2)}\n`);
