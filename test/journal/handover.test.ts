/** A till's unsent money goes out through another till: each payment once, whichever of the two resumes first. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeConfig } from '../../src/folder/config.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { openTakeoverService } from '../../src/takeover/service.ts';
import { diskFull } from '../support/till/till-rig.ts';
import { openBusinessAt, openExport, passphrases, twoTills } from './two-tills.ts';

let shop: ReturnType<typeof twoTills>;
let file = '';
beforeEach(() => {
  shop = twoTills();
  file = join(shop.root, 'unsent.json');
});
afterEach(() => shop.remove());

const openBusiness = () => openBusinessAt(shop);

const importAt = (name: string, from = file) =>
  shop.life(name, async ({ takenOver }) => takenOver.take(await openExport(from), ['Cleo']));

const forwardTakenOver = (name: string) =>
  shop.life(name, async (running) => {
    await shop.forwardForeign(running);
    return running.takenOver.sales();
  });

const expectCharged = (expected: Map<string, bigint>): void => {
  for (const [sale, minor] of expected) {
    expect(shop.charged(sale), sale).toBe(minor);
    const paid = shop.gateway.books.filter(
      ({ merchantTransactionId: of, paymentType }) => of === sale && paymentType === 'DB',
    );
    expect(paid).toHaveLength(1);
  }
};

test('another till forwards a dead till’s unsent sales once, and does not count them as its own', async () => {
  const expected = await openBusiness();
  expect((await shop.exportFrom('a', file)).messages.map(({ kind }) => kind).toSorted()).toEqual([
    'forward',
    'forward',
    'reversal',
  ]);
  await shop.life('b', (running) => shop.sell(running, 300n));
  expect(await importAt('b')).toEqual({ sales: 3, messages: 3 });
  shop.line.up = true;
  const takenOver = await forwardTakenOver('b');
  expectCharged(expected);
  expect(takenOver.map(({ waiting, sale }) => [waiting, sale.at])).toEqual(Array(3).fill([false, 'ended']));
  await shop.life('b', (running) => {
    expect(running.ledger.sales(100)).toHaveLength(1);
    expect(running.outbox.waiting().filter(({ sale }) => expected.has(sale))).toEqual([]);
  });
});

test('without the disk, the second copy and the secrets from the safe are enough', async () => {
  const mirror = shop.folderOf('mirror');
  changeConfig(shop.folderOf('a'), shop.parts.ids, (config) => ({ ...config, secondCopy: mirror }));
  const expected = await openBusiness();
  shop.copyFolder('mirror', 'saved');
  cpSync(join(shop.folderOf('a'), 'till.secrets.json'), join(shop.folderOf('saved'), 'till.secrets.json'));
  rmSync(shop.folderOf('a'), { recursive: true });
  expect((await shop.exportFrom('saved', file)).messages).toHaveLength(3);
  await importAt('b');
  shop.line.up = true;
  await forwardTakenOver('b');
  expectCharged(expected);
});

describe('the dead till starts again', () => {
  const forwardOwn = (name: string) => shop.life(name, (running) => shop.forward(running));
  const orders: Record<string, () => Promise<void>> = {
    'after the other has sent everything': async () => {
      await importAt('b');
      shop.line.up = true;
      await forwardTakenOver('b');
      await forwardOwn('a');
    },
    before: async () => {
      shop.line.up = true;
      await forwardOwn('a');
      await importAt('b');
      await forwardTakenOver('b');
    },
    'and takes back what it handed over': async () => {
      await importAt('b');
      shop.line.up = true;
      shop.takeBack('a');
      await forwardOwn('a');
      await forwardTakenOver('b');
      await forwardOwn('a');
    },
    'from a disk without the export': async () => {
      await importAt('b');
      shop.line.up = true;
      await forwardOwn('old');
      await forwardTakenOver('b');
      await forwardOwn('a');
    },
    'from such a disk, after the other has sent': async () => {
      await importAt('b');
      shop.line.up = true;
      await forwardTakenOver('b');
      await forwardOwn('old');
    },
  };
  test.each(Object.entries(orders))('%s: each payment once', async (_, order) => {
    const expected = await openBusiness();
    shop.copyFolder('a', 'old');
    await shop.exportFrom('a', file);
    await order();
    expectCharged(expected);
  });
});

test('a running till hands over its unsent sales but not the sale in progress: each payment once', async () => {
  const expected = await openBusiness();
  await shop.life('a', async (running) => {
    const selling = running.till.sell({ amount: { minor: 500n, currency: 'EUR' } }, () => {});
    const takeover = openTakeoverService({
      ...shop.parts,
      ...{ running, dataDir: shop.folderOf('a'), events: { tell: () => {} } },
    });
    const { export: id, messages, sealed } = await takeover.prepareExport([...passphrases], ['Ana', 'Ben']);
    writeFileSync(file, sealed);
    expect(messages).toBe(3);
    const { entries } = (await openExport(file)).unsent;
    expect(new Set(entries.map(({ subject }) => subject))).not.toContain(selling.sale);
    // This till sends two of the messages before it knows that the file is stored.
    shop.line.up = true;
    await shop.clock.until(running.forwarder.drain());
    takeover.confirmExport(id);
    expect(() => takeover.confirmExport(id)).toThrow('no longer has export');
    expect(await shop.clock.until(selling.done)).toMatchObject({ ending: 'approved' });
    expected.set(selling.sale, 500n);
    await shop.forward(running);
  });
  await importAt('b');
  await forwardTakenOver('b');
  expectCharged(expected);
});

test('handed-over messages are not sent until they are taken back, not even when parked ones are retried', async () => {
  const expected = await openBusiness();
  await shop.exportFrom('a', file);
  shop.line.up = true;
  await shop.life('a', async (running) => {
    await shop.forward(running);
    running.outbox.unpark(shop.clock.now());
    await shop.forward(running);
    expect(running.outbox.parked()).toHaveLength(3);
  });
  for (const [sale, minor] of expected) if (minor > 0n) expect(shop.charged(sale)).toBe(0n);
  expect(shop.takeBack('a')).toBe(3);
  await shop.life('a', (running) => shop.forward(running));
  expectCharged(expected);
  expect(() => shop.takeBack('a')).toThrow('This till has handed nothing over');
});

test('a second import takes nothing, and one with new messages takes only those', async () => {
  await openBusiness();
  await shop.exportFrom('a', file);
  await importAt('b');
  expect(await shop.faultOf(importAt('b'))).toBe('export.known');
  await shop.life('a', (running) => shop.sell(running, 1_200n));
  const later = join(shop.root, 'later.json');
  await shop.exportFrom('a', later);
  expect(await importAt('b', later)).toEqual({ sales: 1, messages: 1 });
});

test('an import that broke off before its note is noted by the next try, and each payment is made once', async () => {
  const expected = await openBusiness();
  await shop.exportFrom('a', file);
  const opened = await openExport(file);
  await shop.life('b', async ({ takenOver, journal }) => {
    const { write } = journal;
    journal.write = () => {
      throw diskFull();
    };
    expect(await shop.faultOf(takenOver.take(opened, ['Cleo']))).toBe('journal.unwritable');
    journal.write = write;
    expect(await shop.faultOf(takenOver.take(opened, ['Cleo']))).toBe('export.known');
    expect(journal.about('journal').filter(({ kind }) => kind === 'imported')).toHaveLength(1);
    expect(await shop.faultOf(takenOver.take(opened, ['Cleo']))).toBe('export.known');
    expect(journal.about('journal').filter(({ kind }) => kind === 'imported')).toHaveLength(1);
  });
  shop.line.up = true;
  await forwardTakenOver('b');
  expectCharged(expected);
});

test('a running till sends what it imported, and what it imports later', async () => {
  const expected = await openBusiness();
  await shop.exportFrom('a', file);
  await shop.life('b', async (running) => {
    running.runInBackground();
    await running.takenOver.take(await openExport(file), ['Cleo']);
    shop.line.up = true;
    await shop.clock.advance(600_000);
    expect(running.takenOver.sales().map(({ waiting }) => waiting)).toEqual([false, false, false]);
  });
  expectCharged(expected);
});

test('an export is refused by its own till and by a till of another gateway', async () => {
  await openBusiness();
  await shop.exportFrom('a', file);
  expect(await shop.faultOf(importAt('a'))).toBe('export.own');
  const other = await shop.start('c', 'f'.repeat(32));
  const opened = await openExport(file);
  expect(await shop.faultOf(other.takenOver.take(opened, []))).toBe('export.otherGateway');
  expect(existsSync(join(shop.folderOf('c'), 'foreign'))).toBe(false);
  await other.close();
});

test('a till of the other mode refuses it too: a test answer would use up its payments', async () => {
  await openBusiness();
  const journal = openTillJournal(shop.folderOf('b'), { clock: shop.clock });
  modeOf(journal, 'live');
  journal.close();
  await shop.exportFrom('a', file);
  const opened = await openExport(file);
  await shop.life('b', async (running) => {
    expect(running.mode).toBe('live');
    expect(await shop.faultOf(running.takenOver.take(opened, []))).toBe('export.otherMode');
    expect(running.takenOver.sales()).toEqual([]);
  });
  // An export from before tills stored their mode is judged by its content.
  const { unsent, publicKey } = opened;
  const { mode: _, ...older } = unsent;
  await shop.life('c', async (running) => {
    const live = { ...unsent, mode: 'live' as const };
    expect(await shop.faultOf(running.takenOver.take({ unsent: live, publicKey }, []))).toBe('export.otherMode');
    expect((await running.takenOver.take({ unsent: older, publicKey }, [])).sales).toBe(3);
  });
});

test('an export that cannot be written hands nothing over, and an existing file is not overwritten', async () => {
  const expected = await openBusiness();
  writeFileSync(file, 'an older export');
  expect(await shop.faultOf(shop.exportFrom('a', file))).toBe('export.unwritable');
  expect(readFileSync(file, 'utf8')).toBe('an older export');
  shop.line.up = true;
  await shop.life('a', (running) => shop.forward(running));
  expectCharged(expected);
  expect(await shop.faultOf(shop.exportFrom('a', `${file}.2`))).toBe('export.nothing');
});

test('the journal records what left, what came, and who did it', async () => {
  await openBusiness();
  const { id } = await shop.exportFrom('a', file);
  await importAt('b');
  shop.takeBack('a');
  const endingsAt = (name: string) =>
    shop.life(name, ({ journal }) =>
      journal.about('journal').flatMap(({ kind, body }) => (kind === 'sealed' ? [] : [JSON.parse(body)])),
    );
  expect(await endingsAt('a')).toMatchObject([
    { on: 'exported', id, by: ['Ana', 'Ben'] },
    { on: 'takenBack', by: 'Ana' },
  ]);
  expect(await endingsAt('b')).toMatchObject([{ on: 'imported', id, by: ['Cleo'], sales: 3, messages: 3 }]);
});

test('a sale voided at a till without the export and sent by the other is found and reversed', async () => {
  const expected = await openBusiness();
  shop.copyFolder('a', 'c');
  await shop.exportFrom('c', file);
  await importAt('b');
  const [sale = ''] = [...expected].find(([, minor]) => minor === 1_000n) ?? [];
  await shop.life('a', async ({ till }) => {
    const { receipt } = till.findSale(sale).intent;
    const voided = await shop.clock.until(till.follow({ receipt, operation: 'void' }, () => {}).done);
    expect(voided.reason).toBe('voidedBeforeSending');
  });
  shop.line.up = true;
  await forwardTakenOver('b');
  expect(shop.charged(sale)).toBe(1_000n);
  await shop.clock.advance(600_001);
  await shop.life('a', async ({ resolver, till }) => {
    await shop.clock.until(resolver.inquireLate());
    expect(till.findSale(sale)).toMatchObject({ ending: 'declined', reason: 'approvedLate', reversal: 'done' });
  });
  expect(shop.charged(sale)).toBe(0n);
});
