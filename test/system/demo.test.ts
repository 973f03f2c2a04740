/**
 * The demo from the sources, as a newcomer starts it: a whole shop day, its receipts, and an account in which every
 * cent agrees.
 */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { sourceProgram } from '../support/servers/program.ts';

test('the demo’s day ends as expected', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [sourceProgram, 'demo'], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const expected = [
    'PIN VERIFIED',
    'CONTACTLESS                NO VERIFICATION',
    'SWIPED                           SIGNATURE',
    'DECLINED  64.00 EUR',
    'REFUND                           12.00 EUR',
    'OFFLINE, APPROVED BY THE CHIP',
    'Of the bill of 16.00 EUR, 10.00 EUR is paid; 6.00 EUR is left.',
    'The bill of 16.00 EUR is paid.',
    'RESERVED IN ALL                 100.00 EUR',
    'LEFT ON THE CARD                 80.00 EUR',
    'NEVER SENT TO THE BANK',
    '000020  completion        approved offline (stored)    100.00 EUR    100.00 EUR',
    'TIP                               9.00 EUR',
    '3 stored messages were answered, 0 will be retried, 0 for a person.',
    'REVERSAL 12.40 EUR',
    '3 held by the terminal',
    'Nothing is held on cards.',
    'Every cent is accounted for.',
    'NET EUR                             236.30',
    'The same total is below.',
    'Z report, net           236.30 EUR',
    'Till, gateway and settlement agree to the cent.',
  ];
  for (const text of expected) expect(stdout).toContain(text);
  // Receipts show at most the last four digits of a card number.
  expect(stdout).not.toMatch(/\d{6}\*{4}/);
});
