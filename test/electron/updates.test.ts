/** Updates: only on a quiet till, and back again when the new version does not live. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { goBack } from '../../electron/go-back.ts';
import { updateFiles } from '../../electron/update-files.ts';
import { installWhenQuiet, nothingYet, onInstall, onLived, onStart, type Quiet } from '../../electron/updates.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('waits for a quiet till', () => {
  const rows: readonly [name: string, minutes: (Quiet | undefined)[], installed: boolean][] = [
    ['quiet for ten minutes', Array(10).fill({ quiet: true }), true],
    ['quiet for nine', Array(9).fill({ quiet: true }), false],
    [
      'a sale in the middle',
      [...Array(9).fill({ quiet: true }), { quiet: false }, ...Array(9).fill({ quiet: true })],
      false,
    ],
    ['money unknown', Array(100).fill({ quiet: false, why: 'the end of one sale is not known' }), false],
    ['a till that does not answer', Array(100).fill(undefined), false],
  ];
  test.each(rows)('%s', async (_, minutes, installed) => {
    const clock = virtualClock();
    const left = [...minutes];
    let installs = 0;
    const stop = installWhenQuiet({
      clock,
      quiet: async () => (left.length === 0 ? { quiet: false } : left.shift()),
      install() {
        installs += 1;
      },
      waits() {},
    });
    for (let minute = 0; minute < minutes.length + 1; minute += 1) {
      await settle();
      await clock.advance(60_000);
    }
    await settle();
    expect(installs).toBe(installed ? 1 : 0);
    stop();
  });
});

describe('a version on trial', () => {
  const installed = onInstall(
    { ...nothingYet, kept: [{ version: '1', installer: 'one.exe' }] },
    { from: '1', to: '2', installer: 'two.exe' },
  ).state;

  test('that lives stays', () => {
    const { state, decision } = onStart(installed, '2');
    expect(decision).toEqual({ kind: 'run' });
    expect(onStart(onLived(state), '2')).toEqual({ state: onLived(state), decision: { kind: 'run' } });
  });

  test('that is started three times without living goes back, and is not installed again', () => {
    let state = installed;
    for (let start = 0; start < 3; start += 1) {
      const step = onStart(state, '2');
      expect(step.decision).toEqual({ kind: 'run' });
      state = step.state;
    }
    const last = onStart(state, '2');
    expect(last.decision).toEqual({ kind: 'goBack', to: '1', installer: 'one.exe' });
    expect(last.state.bad).toEqual(['2']);
    expect(onStart(last.state, '1').decision).toEqual({ kind: 'run' });
  });

  test('without an installer to go back to goes on', () => {
    const trial = { version: '2', before: '1', starts: 3 };
    expect(onStart({ ...nothingYet, trial }, '2').decision).toEqual({ kind: 'noWayBack' });
  });

  test('two installers are kept, older ones go', () => {
    const { state, remove } = onInstall(
      {
        ...nothingYet,
        kept: [
          { version: '2', installer: 'two' },
          { version: '1', installer: 'one' },
        ],
      },
      { from: '2', to: '3', installer: 'three' },
    );
    expect(state.kept.map(({ version }) => version)).toEqual(['3', '2']);
    expect(remove).toEqual(['one']);
  });
});

test('notes and installers on the disk, also when the notes are no notes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'updates-'));
  try {
    const files = updateFiles(folder);
    expect(files.read()).toEqual(nothingYet);
    const from = join(folder, 'Tillgate Setup.exe');
    writeFileSync(from, 'installer');
    const kept = files.keep('2', from);
    expect(readdirSync(join(folder, 'installers'))).toEqual(['2.exe']);
    files.write({ ...nothingYet, kept: [{ version: '2', installer: kept }] });
    expect(files.read().kept).toEqual([{ version: '2', installer: kept }]);
    // A path from elsewhere in the notes is not removed.
    files.remove([from, kept]);
    expect([readdirSync(folder).includes('Tillgate Setup.exe'), readdirSync(join(folder, 'installers'))]).toEqual([
      true,
      [],
    ]);
    writeFileSync(join(folder, 'updates.json'), '{"kept": [');
    expect(files.read()).toEqual(nothingYet);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ['/x/1.exe', undefined, true, '/x/1.exe /S --force-run'],
  ['/x/1.deb', undefined, true, 'pkexec dpkg --install --force-downgrade /x/1.deb'],
  ['/x/1.zip', undefined, false, undefined],
  ['/x/1.AppImage', undefined, false, undefined],
])('goes back with %s', (installer, appImage, can, command) => {
  let started: string | undefined;
  const start = (program: string, args: readonly string[]) => {
    started = [program, ...args].join(' ');
  };
  expect(goBack({ installer, appImage, start })).toBe(can);
  expect(started).toBe(command);
});
