/** Closing a batch from the manager's screens: its checks, its report, two simultaneous closes, and an override. */

import { afterEach, expect, test } from 'vitest';
import { overrideBytes } from '../../src/books/closing/close.ts';
import { isSignedByTill } from '../../src/folder/keys/till-signer.ts';
import { booksRig, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const passedChecks = (checks: readonly { what: string; ok: boolean }[]): string[] =>
  checks.filter(({ ok }) => ok).map(({ what }) => what);

test('without a sale there is nothing to close, and there are no checks', async () => {
  rig = booksRig();
  const till = await rig.open();
  expect(await rig.done(till.service.closing())).toEqual({ standing: [], checks: [], mayClose: false });
  await expect(rig.done(till.service.close({}, max))).rejects.toMatchObject({ code: 'books.nothingToClose' });
  await expect(till.service.xReport(max)).rejects.toMatchObject({ code: 'books.nothingToClose' });
  expect(till.service.batches()).toEqual([]);
  await till.close();
});

test('on a good day X reports are numbered, all checks are green, and the printed Z report is the same', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  const first = await till.service.xReport(max);
  const second = await till.service.xReport(max, undefined, { languages: ['de-AT'] });
  expect([first.number, second.number]).toEqual([1, 2]);
  expect(first.paper.join('\n')).toContain('X REPORT 1');
  expect(second.paper.join('\n')).toMatch(/X-BERICHT 2[\s\S]*NETTO EUR +10,00[\s\S]*Der Kassenschnitt bleibt offen\./);
  const { batch, checks, mayClose } = await rig.done(till.service.closing());
  expect(passedChecks(checks)).toEqual([
    'nothingUnknown',
    'nothingUnsent',
    'nothingUnpaid',
    'gatewayAgrees',
    'sumsAgree',
    'terminalDay',
    'timeTrusted',
  ]);
  expect([batch?.batch, mayClose]).toEqual([1, true]);
  const closed = await rig.done(till.service.close({}, max));
  expect(closed).toMatchObject({
    batch: 1,
    state: 'closed',
    z: 1,
    sales: 1,
    net: [{ amount: '10.00', currency: 'EUR' }],
  });
  expect(closed.paper?.join('\n')).toContain('Z REPORT 1');
  expect(closed.paper?.join('\n')).not.toContain('DUPLICATE');
  expect((await till.service.batch(1)).paper?.join('\n')).toContain('DUPLICATE');
  expect((await till.service.batch(1, undefined, { languages: ['tlh', 'fr'] })).paper?.join('\n')).toMatch(
    /RAPPORT Z 1[\s\S]*DUPLICATA/,
  );
  expect(till.told).toContainEqual({ on: 'changed', what: 'batches' });
  await expect(till.service.batch(7)).rejects.toMatchObject({ code: 'books.notFound' });
  await till.close();
});

test('two managers who close at once get one report, and the next batch stays open', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  const both = Promise.all([till.service.close({}, max), till.service.close({}, { ...max, name: 'Mia' })]);
  const [one, other] = await rig.done(both);
  expect(one).toEqual(other);
  expect(till.service.batches().map(({ batch, state }) => [batch, state])).toEqual([[1, 'closed']]);
  await till.sell(2_000n);
  expect(till.service.batches().map(({ batch, state }) => [batch, state])).toEqual([
    [2, 'open'],
    [1, 'closed'],
  ]);
  await till.close();
});

test('an unsent sale is a red row with its remedy; an override is signed and names each amount', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  rig.line.up = false;
  const { intent } = await till.sell(1_500n);
  const { checks, mayClose } = await rig.done(till.service.closing());
  expect(mayClose).toBe(false);
  const unsent = checks.find(({ what }) => what === 'nothingUnsent');
  expect(unsent?.open).toMatchObject([{ receipt: intent.receipt, amount: '15.00 EUR', place: 'notSent' }]);
  expect(unsent?.open[0]?.next).not.toContain('npm');
  expect(checks.find(({ what }) => what === 'gatewayAgrees')?.why).toMatchObject({ code: 'closing.silent' });
  await expect(rig.done(till.service.close({}, max))).rejects.toMatchObject({ code: 'books.openMoney' });
  const anonymous = { permissions: max.permissions };
  const refused = { code: 'books.overrideMalformed' };
  await expect(rig.done(till.service.close({ override: 'the line is down' }, anonymous))).rejects.toMatchObject(
    refused,
  );
  await expect(rig.done(till.service.close({ override: '  ' }, max))).rejects.toMatchObject(refused);

  const closed = await rig.done(till.service.close({ override: 'the line is down' }, max));
  expect(closed.override).toEqual({ by: 'Max', reason: 'the line is down' });
  const { override, terminalId, batch } = till.running.books.batch(1);
  expect(override?.amounts).toMatchObject([{ receipt: intent.receipt, amount: '15.00 EUR' }]);
  const { publicKey = '', signature = '', amounts = [] } = override ?? {};
  const signedBytes = overrideBytes({ terminalId, batch }, { by: 'Max', reason: 'the line is down', amounts });
  expect(isSignedByTill(publicKey, signedBytes, signature)).toBe(true);
  await till.close();
});

test('of two simultaneous closes, one with an override, only the one with the override closes the batch', async () => {
  rig = booksRig();
  const till = await rig.open();
  rig.line.up = false;
  await till.sell(1_500n);
  const plain = till.service.close({}, { ...max, name: 'Mia' });
  const override = till.service.close({ override: 'the line is down' }, max);
  const [refused, closed] = await rig.done(Promise.allSettled([plain, override]));
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'books.openMoney' } });
  expect(closed).toMatchObject({ status: 'fulfilled', value: { batch: 1, z: 1, override: { by: 'Max' } } });
  await till.close();
});

test('the close of a long batch does not wait for a silent gateway once for each sale', async () => {
  rig = booksRig();
  const till = await rig.open();
  for (let n = 0; n < 30; n += 1) await till.sell(1_000n);
  rig.line.fates.push(...Array.from({ length: 100 }, () => 'requestLost' as const));
  const from = rig.clock.now();
  const { checks, mayClose } = await rig.done(till.service.closing());
  const gateway = checks.find(({ what }) => what === 'gatewayAgrees');
  expect([mayClose, gateway?.ok, gateway?.why?.facts]).toEqual([false, false, { count: 8, of: 30 }]);
  expect(rig.clock.now() - from).toBeLessThan(60_000);
  await till.close();
});

test('a different amount at the gateway is a red row that names both amounts', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { intent } = await till.sell(1_000n);
  const booking = rig.host.books.find(({ merchantTransactionId }) => merchantTransactionId === intent.sale);
  Object.assign(booking ?? {}, { amount: '10.01' });
  const { checks } = await rig.done(till.service.closing());
  const gateway = checks.find(({ what }) => what === 'gatewayAgrees');
  expect(gateway?.ok).toBe(false);
  expect(gateway?.open[0]?.why).toContain('the till has 10.00 EUR, the gateway 10.01 EUR');
  await till.close();
});

test('a close interrupted by a crash continues where it stopped', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  till.running.books.batchToClose();
  const { write } = till.running.journal;
  let left = 1;
  till.running.journal.write = (entries, also) => {
    if (entries.some(({ kind }) => kind.startsWith('batch')) && left-- === 0) throw new Error('the power went');
    write(entries, also);
  };
  await expect(rig.done(till.service.close({}, max))).rejects.toThrow('the power went');
  till.running.journal.write = write;
  await till.close();
  const reopened = await rig.opened();
  expect(reopened.service.batches()).toMatchObject([{ batch: 1, state: 'closing', sales: 1 }]);
  expect(await rig.done(reopened.service.close({}, max))).toMatchObject({ batch: 1, z: 1, state: 'closed' });
  expect(reopened.service.batches()).toHaveLength(1);
  await reopened.close();
});

test('batches of two terminals are closed one after the other, each with its own Z report', async () => {
  rig = booksRig({ second: '20000000' });
  const till = await rig.open();
  await till.sell(1_000n);
  await till.sell(2_000n, till.running.counters[1]);
  expect(till.service.today().byTerminal).toEqual([
    { counter: 'T2', count: 1, taken: '20.00' },
    { counter: 'T1', count: 1, taken: '10.00' },
  ]);
  const closed = [];
  for (let n = 0; n < 2; n += 1) {
    const { batch } = await rig.done(till.service.closing());
    const { terminalId, z, net } = await rig.done(till.service.close({}, max));
    expect(batch?.terminalId).toBe(terminalId);
    closed.push([terminalId, z, net[0]?.amount]);
  }
  expect(closed).toEqual([
    ['10000001', 1, '10.00'],
    ['20000000', 1, '20.00'],
  ]);
  expect((await till.service.batch(1, '20000000')).net[0]?.amount).toBe('20.00');
  await expect(rig.done(till.service.close({}, max))).rejects.toMatchObject({ code: 'books.nothingToClose' });
  await till.close();
});

test('the person signed in closes the batch of the named terminal, and never another batch instead', async () => {
  rig = booksRig({ second: '20000000' });
  const till = await rig.open();
  await till.sell(1_000n);
  await till.sell(2_000n, till.running.counters[1]);
  const terminalId = '20000000';
  const { batch, standing: closingBatch } = await rig.done(till.service.closing(terminalId));
  expect(batch).toMatchObject({ terminalId, counter: 'T2', batch: 1 });
  expect(closingBatch).toMatchObject([{ counter: 'T1' }, { counter: 'T2' }]);
  expect(await till.service.xReport(max, terminalId)).toMatchObject({ terminalId, net: [{ amount: '20.00' }] });
  // Two closes at once, each for another terminal: each gets its own report.
  const reports = rig.done(
    Promise.all([
      till.service.close({}, max),
      till.service.close({ terminalId }, max),
      till.service.close({ terminalId }, max),
    ]),
  );
  expect((await reports).map((one) => [one.counter, one.z])).toEqual([
    ['T1', 1],
    ['T2', 1],
    ['T2', 1],
  ]);
  await expect(rig.done(till.service.close({ terminalId }, max))).rejects.toMatchObject({
    code: 'books.nothingToClose',
  });
  await till.sell(3_000n);
  await expect(rig.done(till.service.close({ terminalId }, max))).rejects.toMatchObject({
    code: 'books.nothingToClose',
  });
  expect(await rig.done(till.service.closing(terminalId))).toMatchObject({ checks: [], standing: [{ counter: 'T1' }] });
  expect(till.service.batches().filter(({ state }) => state === 'closed')).toHaveLength(2);
  const audited = till.audit.page({ from: 0, most: 50 }).rows;
  const namesOf = (kind: string) => audited.filter((row) => row.kind === kind).map((row) => row.by);
  expect([...namesOf('batchClosing'), ...namesOf('xReport')]).toEqual(['Max', 'Max', 'Max']);
  await till.close();
});
