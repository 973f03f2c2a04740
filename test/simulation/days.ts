/** `npm run simulate:days -- --seeds N [--first-seed N]`: whole tills under faults, a line a seed, the failing last. */
import { parseArgs } from 'node:util';
import { playDay } from './shop-day.ts';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '100' }, 'first-seed': { type: 'string', default: '1' } },
});
const first = Number(values['first-seed']);
const last = first + Number(values.seeds) - 1;
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || last < first) {
  process.stderr.write('--seeds and --first-seed take whole numbers.\n');
  process.exit(2);
}
for (let seed = first; seed <= last; seed++) {
  const { crashes, account } = await playDay(seed);
  const endings = Object.entries(account.endings).map(([ending, n]) => `${n} ${ending}`);
  process.stdout.write(`seed ${seed}: ${account.sales} sales, ${crashes} crashes: ${endings.join(', ')}\n`);
  if (account.broken.length === 0) continue;
  for (const rule of account.broken) process.stdout.write(`  BROKEN ${rule}\n`);
  process.exit(1);
}
process.stdout.write(`${last - first + 1} days, every cent accounted for.\n`);
