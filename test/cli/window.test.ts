/** Which programs run beside their window: those of Windows that a closed window would end in the middle of a sale. */
import { expect, test } from 'vitest';
import { isInWindow } from '../../src/cli/window.ts';

test.each([
  { is: 'a till in a console of Windows', platform: 'win32', isTty: true, command: 'start', beside: true },
  { is: 'one whose output is kept in a file', platform: 'win32', isTty: false, command: 'start', beside: false },
  { is: 'a single command', platform: 'win32', isTty: true, command: 'till', beside: false },
  { is: 'a till in a terminal of Linux', platform: 'linux', isTty: true, command: 'start', beside: false },
] as const)('$is runs beside it: $beside', ({ is: _, beside, ...start }) => {
  expect(isInWindow(start)).toBe(beside);
});
