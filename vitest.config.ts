/** How the tests run: unit tests side by side, and tests of the whole product one file after the other. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/system/**'], testTimeout: 30_000 } },
      { test: { name: 'system', include: ['test/system/**/*.test.ts'], testTimeout: 120_000, fileParallelism: false } },
    ],
  },
});
