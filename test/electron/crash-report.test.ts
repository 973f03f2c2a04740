/** Crash reports: their content, and that they contain no card data. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashText, keepCrash } from '../../electron/crash-report.ts';

const crash = {
  at: Date.UTC(2026, 4, 1, 12),
  process: 'till',
  how: 'exit code 139',
  version: '0.1.0',
  tail: 'one\ntwo',
};

test('names the process, how and when it ended, and its last output', () => {
  expect(crashText(crash)).toBe(
    'Tillgate 0.1.0: the till process ended at 2026-05-01 12:00:00 UTC: exit code 139\n\none\ntwo\n',
  );
});

test.each([
  ['a card number', 'read 4111111111111111 ok'],
  ['in groups', 'read 4111 1111 1111 1111 ok'],
  ['a track', ';4111111111111111=29122010000012345678?'],
  ['in hex', Buffer.from('4111111111111111').toString('hex')],
])('leaves out a line with %s', (_, line) => {
  const text = crashText({ ...crash, tail: `before\n${line}\nafter` });
  expect(text).toContain('before\nafter\n(Lines left out because they may contain card data: 1)');
  expect(text).not.toContain('1111');
});

test('is not written if that is impossible, and throws nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'));
  try {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(keepCrash(file, crash)).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('keeps two reports of the same second', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'));
  try {
    const [first, second] = ['it hung', 'exit code 1'].map((how) => keepCrash(folder, { ...crash, how }));
    expect(readFileSync(first ?? '', 'utf8')).toContain('it hung');
    expect(readFileSync(second ?? '', 'utf8')).toContain('exit code 1');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('keeps the last twenty', () => {
  const folder = mkdtempSync(join(tmpdir(), 'crashes-'));
  try {
    for (let n = 0; n < 25; n += 1) keepCrash(folder, { ...crash, at: crash.at + n * 1_000 });
    const stored = readdirSync(folder).sort();
    expect([stored.length, stored[0]]).toEqual([20, '2026-05-01-12-00-05-till.txt']);
    expect(readFileSync(join(folder, stored[0] ?? ''), 'utf8')).toContain('exit code 139');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
