/** `npm run test:nightly`: every test at full length, first those of modules, then those of the whole product. */
import { spawnSync } from 'node:child_process';

const { status } = spawnSync('vitest', ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, NIGHTLY: '1' },
});
process.exitCode = status ?? 1;
