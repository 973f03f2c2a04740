/** A till's unsent money goes out through another: each payment once, whichever of the two wakes first. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { signerOf } from '../../src/journal/signing.ts';
import { changeConfig } from '../../src/runtime/config.ts';
import { openUnsent, type Passphrases, sealUnsent, type Unsent } from '../../src/runtime/unsent-file.ts';
import { dice } from '../support/dice.ts';
import { diskFull } from '../support/till-rig.ts';
import { passphrases, twoTills } from './two-tills.ts';

let shop: ReturnType<typeof twoTills>;
let file = '';
beforeEach(() => {
  shop = twoTills();
  file = join(shop.root, 'unsent.json');
});
afterEach(() => shop.remove());

/** Till A stores two sales and owes a reversal. Gives what each sale has to come to at the gateway. */
const openBusiness = () =>
  shop.life('a', async (running) => {
    shop.line.up = true;
    await shop.sell(running, 700n);
    shop.chip.last = 'declined';
    const reversed = running.till.sell({ amount: { minor: 900n, currency: 'EUR' } }, (progress) => {
      if (progress.kind === 'sale' && progress.sale.at === 'completing') shop.line.up = false;
    }).done;
    const declined = await shop.clock.until(reversed);
    shop.chip.last = 'approved';
    shop.line.up = false;
    const stored = [await shop.sell(running, 1_000n), await shop.sell(running, 1_100n)];
    expect(
      stored.map(({ ending, offline, why }) => [ending, offline !== undefined, ...(why === undefined ? [] : [why])]),
    ).toEqual([
      ['approved', true],
      ['approved', true],
    ]);
    expect([declined.ending, declined.reversal]).toEqual(['declined', 'due']);
    return new Map([
      [declined.intent.sale, 0n],
      ...stored.map(({ intent }) => [intent.sale, intent.amount.minor] as const),
    ]);
  });

const importAt = (name: string, from = file, secrets: Passphrases = passphrases) =>
  shop.life(name, async ({ foreign }) => foreign.take(await openUnsent(readFileSync(from, 'utf8'), secrets), ['Cleo']));

const forwardForeign = (name: string) =>
  shop.life(name, async (running) => {
    await shop.forwardForeign(running);
    return running.foreign.sales();
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

test('what a dead till had not sent is forwarded by another, once, and is none of its own sales', async () => {
  const expected = await openBusiness();
  expect((await shop.exportFrom('a', file)).messages.map(({ kind }) => kind).toSorted()).toEqual([
    'forward',
    'forward',
    'reversal',
  ]);
  await shop.life('b', (running) => shop.sell(running, 300n));
  expect(await importAt('b')).toEqual({ sales: 3, messages: 3 });
  shop.line.up = true;
  const foreign = await forwardForeign('b');
  expectCharged(expected);
  expect(foreign.map(({ waiting, sale }) => [waiting, sale.at])).toEqual(Array(3).fill([false, 'ended']));
  await shop.life('b', (running) => {
    expect(running.ledger.sales(100)).toHaveLength(1);
    expect(running.outbox.waiting().filter(({ sale }) => expected.has(sale))).toEqual([]);
  });
});

test('the second copy of a till whose disk is gone, with its secrets from the safe, is enough', async () => {
  const mirror = shop.folderOf('mirror');
  changeConfig(shop.folderOf('a'), shop.parts.ids, (config) => ({ ...config, secondCopy: mirror }));
  const expected = await openBusiness();
  shop.copyFolder('mirror', 'saved');
  cpSync(join(shop.folderOf('a'), 'till.secrets.json'), join(shop.folderOf('saved'), 'till.secrets.json'));
  rmSync(shop.folderOf('a'), { recursive: true });
  expect((await shop.exportFrom('saved', file)).messages).toHaveLength(3);
  await importAt('b');
  shop.line.up = true;
  await forwardForeign('b');
  expectCharged(expected);
});

describe('the dead till comes alive', () => {
  const forwardOwn = (name: string) => shop.life(name, (running) => shop.forward(running));
  const orders: Record<string, () => Promise<void>> = {
    'after the other has sent everything': async () => {
      await importAt('b');
      shop.line.up = true;
      await forwardForeign('b');
      await forwardOwn('a');
    },
    before: async () => {
      shop.line.up = true;
      await forwardOwn('a');
      await importAt('b');
      await forwardForeign('b');
    },
    'and takes back what was handed over': async () => {
      await importAt('b');
      shop.line.up = true;
      shop.takeBack('a');
      await forwardOwn('a');
      await forwardForeign('b');
      await forwardOwn('a');
    },
    'from a disk that never knew of the export': async () => {
      await importAt('b');
      shop.line.up = true;
      await forwardOwn('old');
      await forwardForeign('b');
      await forwardOwn('a');
    },
    'from such a disk, when the other has sent': async () => {
      await importAt('b');
      shop.line.up = true;
      await forwardForeign('b');
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

test('what was handed over is not sent, not even when parked messages get another turn, until it is taken back', async () => {
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
  expect(() => shop.takeBack('a')).toThrow('Nothing of this till was handed over');
});

test('the second import takes nothing, and one with something new takes that alone', async () => {
  await openBusiness();
  await shop.exportFrom('a', file);
  await importAt('b');
  expect(await shop.faultOf(importAt('b'))).toBe('export.known');
  await shop.life('a', (running) => shop.sell(running, 1_200n));
  const later = join(shop.root, 'later.json');
  await shop.exportFrom('a', later);
  expect(await importAt('b', later)).toEqual({ sales: 1, messages: 1 });
});

test('an import that was cut before this till had noted it is noted by the next try, and each payment made once', async () => {
  const expected = await openBusiness();
  await shop.exportFrom('a', file);
  const opened = await openUnsent(readFileSync(file, 'utf8'), passphrases);
  await shop.life('b', async ({ foreign, journal }) => {
    const { write } = journal;
    journal.write = () => {
      throw diskFull();
    };
    expect(await shop.faultOf(foreign.take(opened, ['Cleo']))).toBe('journal.unwritable');
    journal.write = write;
    expect(await shop.faultOf(foreign.take(opened, ['Cleo']))).toBe('export.known');
    expect(journal.about('journal').filter(({ kind }) => kind === 'imported')).toHaveLength(1);
    expect(await shop.faultOf(foreign.take(opened, ['Cleo']))).toBe('export.known');
    expect(journal.about('journal').filter(({ kind }) => kind === 'imported')).toHaveLength(1);
  });
  shop.line.up = true;
  await forwardForeign('b');
  expectCharged(expected);
});

test('an export goes neither into its own till nor to another gateway', async () => {
  await openBusiness();
  await shop.exportFrom('a', file);
  expect(await shop.faultOf(importAt('a'))).toBe('export.own');
  const other = await shop.start('c', 'f'.repeat(32));
  const opened = await openUnsent(readFileSync(file, 'utf8'), passphrases);
  expect(await shop.faultOf(other.foreign.take(opened, []))).toBe('export.otherGateway');
  expect(existsSync(join(shop.folderOf('c'), 'foreign'))).toBe(false);
  await other.close();
});

test('a file that cannot be written hands nothing over, and one that exists is not overwritten', async () => {
  const expected = await openBusiness();
  writeFileSync(file, 'an older export');
  expect(await shop.faultOf(shop.exportFrom('a', file))).toBe('export.unwritable');
  expect(readFileSync(file, 'utf8')).toBe('an older export');
  shop.line.up = true;
  await shop.life('a', (running) => shop.forward(running));
  expectCharged(expected);
  expect(await shop.faultOf(shop.exportFrom('a', `${file}.2`))).toBe('export.nothing');
});

test('the journal names what left, what came, and who did it', async () => {
  await openBusiness();
  const { id } = await shop.exportFrom('a', file);
  await importAt('b');
  shop.takeBack('a');
  const said = (name: string) =>
    shop.life(name, ({ journal }) =>
      journal.about('journal').flatMap(({ kind, body }) => (kind === 'sealed' ? [] : [JSON.parse(body)])),
    );
  expect(await said('a')).toMatchObject([
    { on: 'exported', id, by: ['Ana', 'Ben'] },
    { on: 'takenBack', by: 'Ana' },
  ]);
  expect(await said('b')).toMatchObject([{ on: 'imported', id, by: ['Cleo'], sales: 3, messages: 3 }]);
});

describe('the file', () => {
  const chance = dice(5);
  const signer = signerOf(new Uint8Array(32).fill(3));
  const unsent: Unsent = {
    id: 'a'.repeat(32),
    at: 5,
    entries: [{ entry: 1, at: 4, subject: 's', kind: 'k', body: '{}', hash: '00' }],
    messages: [{ id: 'm', kind: 'forward', sale: 's', key: 'k', body: '{}', secret: 'CARD-DATA-OF-THE-SALE' }],
  };
  const seal = (secrets: Passphrases = passphrases) =>
    sealUnsent(unsent, { passphrases: secrets, signer, random: chance.random });

  test('opens with both passphrases in either order, and shows nothing of what is in it', async () => {
    const text = await seal();
    expect(text).not.toContain('CARD-DATA');
    const [first, second] = passphrases;
    expect(await openUnsent(text, [first, second])).toEqual({ unsent, publicKey: signer.publicKey });
    expect(await openUnsent(text, [second, first])).toEqual({ unsent, publicKey: signer.publicKey });
  });

  test('opens for nobody who knows one passphrase, or another', async () => {
    const text = await seal();
    const [first, second] = passphrases;
    for (const wrong of [
      [first, first],
      [second, second],
      [first, 'another passphrase'],
      [first, ''],
    ] as const)
      expect(await shop.faultOf(openUnsent(text, wrong))).toBe('export.closed');
  });

  test('refuses one passphrase for two people, and a short one', async () => {
    expect(await shop.faultOf(seal(['one and the same', 'one and the same']))).toBe('export.weak');
    expect(await shop.faultOf(seal(['one and the same', 'short']))).toBe('export.weak');
  });

  test('a changed character anywhere is refused', async () => {
    const text = await seal();
    const good = await openUnsent(text, passphrases);
    for (let n = 0; n < 150; n++) {
      const at = chance.between(0, text.length - 1);
      const other = chance.one(['A', 'z', '7', '"']);
      const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
      if (changed === text) continue;
      try {
        // Base64 has bits that say nothing: then it reads as before.
        expect(await openUnsent(changed, passphrases), `character ${at}`).toEqual(good);
      } catch (error) {
        expect(error, `character ${at}`).toHaveProperty('code', expect.stringMatching(/^export\./));
      }
    }
  }, 60_000);
});
