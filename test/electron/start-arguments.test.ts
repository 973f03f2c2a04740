/** The arguments of a start after an update. */
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argumentsAtStart, keptArguments } from '../../electron/trial.ts';
import { nothingYet } from '../../electron/updates.ts';

test.each([
  { argv: ['tillgate'], stored: [] },
  { argv: ['tillgate', '--kiosk', '--no-sandbox'], stored: ['--kiosk', '--no-sandbox'] },
  { argv: ['tillgate', '--data', '/srv/till'], stored: ['--data', resolve('/srv/till')] },
  { argv: ['tillgate', '--data', 'till'], stored: ['--data', join(process.cwd(), 'till')] },
  {
    argv: ['tillgate', '--updated', '--start-at-login', '--kiosk', '--no-start-at-login', '--end'],
    stored: ['--kiosk'],
  },
])('of $argv are kept: $stored', ({ argv, stored }) => expect(keptArguments(argv)).toEqual(stored));

describe('version 2, recorded with --kiosk by version 1', () => {
  const noted = { ...nothingYet, args: ['--kiosk'], trial: { version: '2', before: '1', starts: 0 } };
  test.each([
    { is: 'started by the installer for Windows', argv: ['tillgate', '--updated'], has: ['--kiosk'] },
    { is: 'first started by the updater of a Mac', argv: ['tillgate'], has: ['--kiosk'] },
    {
      is: 'started by a person with other arguments',
      argv: ['tillgate', '--data', '/a'],
      has: ['--data', resolve('/a')],
    },
    { is: 'started again later', argv: ['tillgate'], starts: 1, has: [] },
    { is: 'undone by an installer', argv: ['tillgate', '--updated'], version: '1', has: ['--kiosk'] },
    { is: 'not installed: version 1 is started', argv: ['tillgate'], version: '1', has: [] },
  ])('$is', ({ argv, has, starts = 0, version = '2' }) => {
    const state = { ...noted, trial: { ...noted.trial, starts } };
    expect(keptArguments(argumentsAtStart(argv, { state, version }))).toEqual(has);
  });
});
