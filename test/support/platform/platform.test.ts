/** What tests tolerate on Windows, and nowhere else. */
import { expect, test } from 'vitest';
import { removeCutShort } from './platform.ts';

const failing = (code: string) => (): void => {
  throw Object.assign(new Error(code), { code });
};

test.each([
  ['EBUSY', true, true],
  ['EPERM', true, true],
  ['ENOSPC', true, false],
  ['EACCES', true, false],
  ['EBUSY', false, false],
  ['EPERM', false, false],
])('a folder that cannot be deleted because of %s, on Windows: %s, is ignored: %s', (code, onWindows, isPassedOver) => {
  const remove = (): void => removeCutShort('/nowhere', { onWindows, remove: failing(code) });
  if (isPassedOver) expect(remove).not.toThrow();
  else expect(remove).toThrow(code);
});
