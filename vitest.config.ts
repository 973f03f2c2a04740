/**
 * How the tests run: on every core, and tests of the whole product in files side by side too. The longest of those come
 * first, so that the others are done beside them.
 */
import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { memoryFolder } from './test/support/disk/memory-folder.ts';
import { isNight } from './test/support/night/night.ts';

/**
 * An emulated machine that boots a dozen times, a till that is killed three hundred times, whole days in a browser:
 * what takes a minute or more would keep one core waiting for the other if it came last.
 */
const longest = [
  /every-cut/,
  /usb\./,
  /kill/,
  /side-by-side/,
  /terminal-tools/,
  /postgres-store/,
  /day-/,
  /shell-/,
  /demo-disconnection/,
  /screens-/,
  /operations\.test/,
  /leaks-everywhere/,
  /counter\.test/,
  /command-line/,
  /hand-over/,
  /dialects\.test/,
  /json-mode/,
  /closing/,
  /pin-memory/,
  /sftp/,
  /engines\.test/,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification): number => {
      const found = longest.findIndex((name) => name.test(moduleId.split('/').at(-1) ?? ''));
      return found < 0 ? longest.length : found;
    };
    return sorted.sort((left, right) => place(left) - place(right));
  }
}

/** `SEED=new npm test` takes a seed that nobody knows before, and says it: `test/support/chance/dice.ts`. */
if (process.env['SEED'] === 'new') {
  process.env['SEED'] = String(Date.now() % 1_000_000_000);
  process.stdout.write(`SEED=${process.env['SEED']}\n`);
}

/** What the tests start, a thousand processes of Node, need not compile the same sources each time. */
const env = {
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  TEST_COSTS: mkdtempSync(join(tmpdir(), 'test-costs-')),
};

/** Tests of modules keep their temporary files in memory; those of the whole product have a real disk under them. */
const inMemory = memoryFolder();

/**
 * Node loads the files as in a shop; properties, ids, keys and nonces go by the run's seed; what each file costs is
 * written down.
 */
const setupFiles = ['test/support/load/load.ts', 'test/support/chance/seed.ts', 'test/support/work/record.ts'];
const experimental = { viteModuleRunner: false, nodeLoader: false };

/** What only a nightly run tries. */
const nightly = isNight ? [] : ['test/**/*.nightly.test.ts'];

/**
 * Tests wait, those of modules for ports and processes, those of the whole product for browsers and time: half as many
 * again as processors give these enough to do. With three times as many, processes that start together took a quarter
 * more work for the same tests, and longer in all, where a machine's memory is slow to hand out.
 */
const atOnce = Math.ceil(availableParallelism() * 1.5);

export default defineConfig({
  test: {
    // The gateway serves the widget as it was built: never an old one to a test.
    globalSetup: ['build/widget.ts'],
    maxWorkers: '100%',
    teardownTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles,
          experimental,
          include: ['test/**/*.test.ts'],
          exclude: ['test/system/**', 'test/budget.test.ts', ...nightly],
          // Modules stay loaded from one file to the next; the seed and the costs begin anew with each.
          isolate: false,
          maxWorkers: atOnce,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          env: { ...env, ...(inMemory !== undefined && { TMPDIR: inMemory }) },
        },
      },
      {
        // Last, when the others have written down what they took.
        test: { name: 'budget', include: ['test/budget.test.ts'], sequence: { groupOrder: 2 }, env },
      },
      {
        test: {
          name: 'system',
          // As above: each file's own process would load browsers' drivers, gateway and till anew.
          isolate: false,
          maxWorkers: atOnce,
          sequence: { groupOrder: 1 },
          setupFiles,
          // The screens, the command line and tills in processes as they were built: never old ones to a test.
          globalSetup: ['build/ui.ts', 'build/gateway.ts', 'test/support/servers/children.ts'],
          include: ['test/system/**/*.test.ts'],
          exclude: nightly,
          // For what hangs: three times what the slowest takes on a machine with much else to do.
          testTimeout: 600_000,
          // A page on a machine with much else to do.
          expect: { poll: { timeout: 60_000 } },
          hookTimeout: 300_000,
          env,
        },
      },
    ],
  },
});
