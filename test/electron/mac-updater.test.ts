/** The answers of the Mac's built-in updater about a version that it is to take over. */
import { EventEmitter } from 'node:events';
import type { AutoUpdater } from 'electron';
import { expect, test } from 'vitest';
import { handToMacUpdater } from '../../electron/updater.ts';

test.each([
  { says: ['update-downloaded'], ends: 'taken' },
  { says: ['checking-for-update', 'update-available', 'update-downloaded'], ends: 'taken' },
  { says: ['update-not-available'], ends: 'it was not offered the version that was fetched' },
  { says: ['error'], ends: 'the signature does not fit' },
])('$says: $ends', async ({ says, ends }) => {
  const squirrel = new EventEmitter();
  const checkForUpdates = (): void => {
    for (const name of says) squirrel.emit(name, new Error('the signature does not fit'));
  };
  const updater = Object.assign(squirrel, { checkForUpdates }) as unknown as AutoUpdater;
  const end = handToMacUpdater(updater).then(
    () => 'taken',
    (error: Error) => error.message,
  );
  expect([await end, squirrel.eventNames()]).toEqual([ends, []]);
});
