/** The programs that run without a console: those that a closed window of Windows would end during a sale. */
import { expect, test } from 'vitest';
import { isInWindow } from '../../src/cli/window.ts';

test.each([
  { is: 'a till in a console of Windows', platform: 'win32', isTty: true, command: 'start', beside: true },
  { is: 'a till whose output goes to a file', platform: 'win32', isTty: false, command: 'start', beside: false },
  { is: 'a single command', platform: 'win32', isTty: true, command: 'till', beside: false },
  { is: 'a till in a terminal of Linux', platform: 'linux', isTty: true, command: 'start', beside: false },
] as const)('$is runs without a console: $beside', ({ is: _, beside, ...start }) => {
  expect(isInWindow(start)).toBe(beside);
});
