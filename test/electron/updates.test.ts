/** Updates: only on an idle till, and undone if the new version does not work. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { updateFiles } from '../../electron/update-files.ts';
import { installWhenQuiet, nothingYet, onInstall, onLived, onOwnFound, onStart } from '../../electron/updates.ts';
import type { QuietState } from '../../src/app/till-health.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('waits for an idle till', () => {
  const rows: readonly [name: string, minutes: (QuietState | undefined)[], installed: boolean][] = [
    ['quiet for ten minutes', Array(10).fill({ quiet: true }), true],
    ['quiet for nine', Array(9).fill({ quiet: true }), false],
    [
      'a sale in the middle',
      [...Array(9).fill({ quiet: true }), { quiet: false }, ...Array(9).fill({ quiet: true })],
      false,
    ],
    [
      'a payment with an unknown ending',
      Array(100).fill({ quiet: false, why: 'the result of 1 sale is not known' }),
      false,
    ],
    ['a till that does not answer', Array(100).fill(undefined), false],
  ];
  test.each(rows)('%s', async (_, minutes, installed) => {
    const clock = virtualClock();
    const remaining = [...minutes];
    let installs = 0;
    const stop = installWhenQuiet({
      clock,
      quiet: async () => (remaining.length === 0 ? { quiet: false } : remaining.shift()),
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
  const installerOf = (version: string) => ({ version, installer: `${version}.exe` });
  const initial = onOwnFound(nothingYet, installerOf('1'));
  const installed = onInstall(initial, { from: '1', to: installerOf('2'), args: [] }).state;

  test('that works stays', () => {
    const { state, decision } = onStart(installed, '2');
    expect(decision).toEqual({ kind: 'run' });
    expect(onStart(onLived(state), '2')).toEqual({ state: onLived(state), decision: { kind: 'run' } });
  });

  test('that is started three times without working goes back, and is not installed again', () => {
    let state = installed;
    for (let start = 0; start < 3; start += 1) {
      const step = onStart(state, '2');
      expect(step.decision).toEqual({ kind: 'run' });
      state = step.state;
    }
    const last = onStart(state, '2');
    expect(last.decision).toEqual({ kind: 'goBack', ways: [installerOf('1')] });
    expect(last.state.bad).toEqual(['2']);
    expect(onStart(last.state, '1').decision).toEqual({ kind: 'run' });
  });

  test('goes back to the first one if the previous one is not stored', () => {
    const trial = { version: '4', before: '3', starts: 3 };
    expect(onStart({ ...installed, trial }, '4').decision).toEqual({ kind: 'goBack', ways: [installerOf('1')] });
    const both = { ...installed, kept: [installerOf('4'), installerOf('3'), installerOf('1')], trial };
    expect(onStart(both, '4').decision).toEqual({ kind: 'goBack', ways: [installerOf('3'), installerOf('1')] });
  });

  test('without an installer to go back to continues', () => {
    const trial = { version: '2', before: '1', starts: 3 };
    expect(onStart({ ...nothingYet, trial }, '2').decision).toEqual({ kind: 'noWayBack' });
    // The version's own installer cannot bring back another version.
    expect(onStart({ ...nothingYet, kept: [installerOf('2')], first: '2', trial }, '2').decision).toEqual({
      kind: 'noWayBack',
    });
  });

  test('three installers are stored: its own, the previous one and the first; others are removed', () => {
    let state = installed;
    const removed: string[] = [];
    for (const [from, to] of [
      ['2', '3'],
      ['3', '4'],
      ['4', '5'],
    ] as const) {
      const step = onInstall(onLived(state), { from, to: installerOf(to), args: [] });
      state = step.state;
      removed.push(...step.remove);
    }
    expect(state.kept.map(({ version }) => version)).toEqual(['5', '4', '1']);
    expect(state.first).toBe('1');
    expect(removed).toEqual(['2.exe', '3.exe']);
  });

  test('the notes of a version that stored no first installer continue with the oldest one', () => {
    const older = { ...nothingYet, kept: [installerOf('8'), installerOf('7')] };
    expect(onInstall(older, { from: '8', to: installerOf('9'), args: [] }).state).toMatchObject({
      kept: [installerOf('9'), installerOf('8'), installerOf('7')],
      first: '7',
    });
  });
});

test('notes and installers on the disk, even if the notes are unreadable', () => {
  const folder = mkdtempSync(join(tmpdir(), 'updates-'));
  try {
    const files = updateFiles(folder);
    expect(files.read()).toEqual(nothingYet);
    const from = join(folder, 'Tillgate Setup.exe');
    writeFileSync(from, 'installer');
    const saved = files.keep('2', from);
    expect(readdirSync(join(folder, 'installers'))).toEqual(['2.exe']);
    files.write({ ...nothingYet, kept: [saved] });
    expect(files.read().kept).toEqual([saved]);
    expect(files.isWhole(saved)).toBe(true);
    writeFileSync(saved.installer, 'instal');
    expect(files.isWhole(saved)).toBe(false);
    // A path elsewhere in the notes is not removed.
    files.remove([from, saved.installer]);
    expect(files.isWhole(saved)).toBe(false);
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
