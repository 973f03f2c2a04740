/**
 * A PIN exists only between the terminal's answer and the gateway's: whatever happens to a sale, a hold or a credit, no
 * queued message, decrypted with the till's own key, and no file contains one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { fromHex } from '../../src/base/hex.ts';
import type { Fate } from '../support/till/bookkeeping-host.ts';
import { textParameters } from '../support/till/card-parameters.ts';
import { chipCard, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

const PIN = { data: 'C0FFEE5A17B10C99', ksn: 'FFFF9876543210E0000A' };
const card = { ...chipCard, pin: { ...PIN, data: fromHex(PIN.data) }, verification: 'onlinePin' } as const;

const starts = {
  sale: (run: TillRun) => run.till.sell({ amount: eur(1_000n) }, () => {}),
  preauthorisation: (run: TillRun) => run.till.preauthorise({ amount: eur(1_000n) }, () => {}),
  credit: (run: TillRun) => run.till.credit({ amount: eur(1_000n) }, () => {}),
};

const fates: readonly Fate[][] = [
  ['answered'],
  ['notReached'],
  ['notReached', 'notReached', 'notReached'],
  ['requestLost'],
  ['answerLost'],
  ['answerLost', 'notReached'],
];

const rows = Object.keys(starts).flatMap((what) =>
  fates.flatMap((row) => (['approved', 'declined'] as const).map((chip) => ({ what, row, chip }))),
);

test.each(rows)('$what, gateway $row, chip $chip', async ({ what, row, chip }) => {
  rig = tillRig(card);
  const sent: Readonly<Record<string, string>>[] = [];
  const run = rig.open({
    behaviour: { complete: () => chip },
    host: {
      ...rig.host,
      pay: (parameters, key) => {
        sent.push(textParameters(parameters));
        return rig.host.pay(parameters, key);
      },
    },
  });
  rig.fates.push(...row);
  await rig.clock.until(starts[what as keyof typeof starts](run).done);
  // There was a PIN that could have been kept: it was sent with the request.
  expect(sent[0]).toMatchObject({ 'pos.encryptedPin.data': PIN.data });
  for (const { id, body, kind } of run.outbox.waiting()) {
    expect(kind).not.toBe('forward');
    expect(`${body}${run.outbox.open(id) ?? ''}`).not.toMatch(new RegExp(`${PIN.data}|${PIN.ksn}|encryptedPin`));
  }
  const stored = readdirSync(rig.folder).map((name) => readFileSync(join(rig.folder, name)));
  for (const text of [PIN.data, PIN.ksn])
    for (const needle of [Buffer.from(text), Buffer.from(text, 'hex')])
      expect(stored.some((bytes) => bytes.includes(needle))).toBe(false);
  run.close();
});

test('the queue has no column for one', () => {
  rig = tillRig(card);
  const run = rig.open();
  const columns = run.journal.sql.all('PRAGMA table_info(message)').map(({ name }) => String(name));
  expect(columns.filter((name) => /pin/i.test(name))).toEqual([]);
  expect(columns).toContain('sealed');
  run.close();
});
