/** The file in which unsent money leaves a till: who can open it, what it proves, and what is refused. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemStretchCost } from '../../src/base/stretch.ts';
import { withFolderTill } from '../../src/cli/till-options.ts';
import { signerOf } from '../../src/journal/signing.ts';
import { openUnsent, type Passphrases, sealUnsent, type UnsentDocument } from '../../src/takeover/unsent-file.ts';
import { dice } from '../support/chance/dice.ts';
import { cheapStretchCost as stretchCost } from '../support/till/stretch-cost.ts';
import { openBusinessAt, openExport, passphrases, twoTills } from './two-tills.ts';

let shop: ReturnType<typeof twoTills>;
let file = '';
beforeEach(() => {
  shop = twoTills();
  file = join(shop.root, 'unsent.json');
});
afterEach(() => shop.remove());

describe('an import proves that each entry is in the sealed journal of its till', () => {
  /** Opens and changes the export. Returns the fault of its import. */
  const importChanged = async (change: (unsent: UnsentDocument) => UnsentDocument, publicKey?: string) => {
    await openBusinessAt(shop);
    await shop.exportFrom('a', file);
    const opened = await openExport(file);
    const changed = { unsent: change(opened.unsent), publicKey: publicKey ?? opened.publicKey };
    const output = await shop.life('b', ({ takenOver }) => shop.faultOf(takenOver.take(changed, ['Cleo'])));
    expect(existsSync(join(shop.folderOf('b'), 'foreign'))).toBe(output === undefined);
    return output;
  };
  type Change = (unsent: UnsentDocument) => UnsentDocument;
  const firstEntry =
    (change: (entry: UnsentDocument['entries'][number]) => object): Change =>
    (unsent) => ({
      ...unsent,
      entries: unsent.entries.map((entry, n) => (n === 0 ? { ...entry, ...change(entry) } : entry)),
    });
  const changes: Record<string, Change> = {
    'another amount': firstEntry(({ body }) => ({ body: body.replace('900', '999') })),
    'another time': firstEntry(({ at }) => ({ at: at + 1 })),
    'another number': firstEntry(({ entry }) => ({ entry: entry + 1 })),
    'another hash': firstEntry(({ hash }) => ({ hash: hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) })),
    'no hash': firstEntry(() => ({ hash: '', before: '' })),
    'an entry twice': (unsent) => ({ ...unsent, entries: [...unsent.entries, ...unsent.entries.slice(0, 1)] }),
    'a seal of the wrong kind': (unsent) => ({ ...unsent, seal: { ...unsent.seal, kind: 'exported' } }),
    'an earlier seal': (unsent) => ({ ...unsent, seal: { ...unsent.seal, entry: 1 } }),
  };
  test.each(Object.entries(changes))('%s is refused', async (_, change) => {
    expect(await importChanged(change)).toBe('export.unproven');
  });

  test('the seal of another key is refused, and the unchanged export is accepted', async () => {
    const other = signerOf(new Uint8Array(32).fill(9)).publicKey;
    expect(await importChanged((unsent) => unsent, other)).toBe('export.unproven');
    expect(await shop.life('b', async ({ takenOver }) => takenOver.take(await openExport(file), ['Cleo']))).toEqual({
      sales: 3,
      messages: 3,
    });
  });

  test('no export contains entries that were changed before the last seal', async () => {
    await openBusinessAt(shop);
    await shop.life('a', ({ journal }) => journal.seal());
    const database = new Database(join(shop.folderOf('a'), 'journal.db'));
    const intended = "subject = (SELECT sale FROM message WHERE kind = 'forward' LIMIT 1) AND kind = 'intended'";
    expect(database.prepare(`UPDATE entry SET at = at + 1 WHERE ${intended}`).run().changes).toBe(1);
    database.close();
    expect(await shop.faultOf(shop.exportFrom('a', file))).toBe('journal.corrupt');
    expect(existsSync(file)).toBe(false);
  });

  test('a file of another version is refused as such', async () => {
    await openBusinessAt(shop);
    await shop.exportFrom('a', file);
    const text = readFileSync(file, 'utf8');
    for (const version of [1, 3])
      expect(
        await shop.faultOf(openUnsent(text.replace('"version": 2', `"version": ${version}`), passphrases, stretchCost)),
      ).toBe('export.version');
    for (const cut of [0, 1, 100, text.length - 3])
      expect(await shop.faultOf(openUnsent(text.slice(0, cut), passphrases, stretchCost))).toMatch(/^export\./);
  });
});

test('a command creates the file with the product’s key-derivation cost', async () => {
  await openBusinessAt(shop);
  await withFolderTill({ data: shop.folderOf('a') }, (till) => till.exportTo(file, passphrases, ['Ana', 'Ben']));
  const text = readFileSync(file, 'utf8');
  expect(JSON.parse(text).kdf).toMatchObject({ name: 'scrypt', cost: 32_768, block: 8 });
  expect((await openUnsent(text, passphrases, systemStretchCost)).unsent.messages).toHaveLength(3);
});

describe('the file', () => {
  const chance = dice(5);
  const signer = signerOf(new Uint8Array(32).fill(3));
  const unsent: UnsentDocument = {
    id: 'a'.repeat(32),
    at: 5,
    entries: [{ entry: 1, at: 4, subject: 's', kind: 'k', body: '{}', before: '00', hash: '00' }],
    seal: { entry: 2, at: 4, subject: 'journal', kind: 'sealed', body: '{}', before: '00', hash: '00' },
    messages: [{ id: 'm', kind: 'forward', sale: 's', key: 'k', body: '{}', secret: 'CARD-DATA-OF-THE-SALE' }],
  };
  const seal = (secrets: Passphrases = passphrases) =>
    sealUnsent(unsent, { passphrases: secrets, signer, random: chance.random, stretchCost });

  test('opens with both passphrases in either order, and reveals nothing of its content', async () => {
    const text = await seal();
    expect(text).not.toContain('CARD-DATA');
    const [first, second] = passphrases;
    expect(await openUnsent(text, [first, second], stretchCost)).toEqual({ unsent, publicKey: signer.publicKey });
    expect(await openUnsent(text, [second, first], stretchCost)).toEqual({ unsent, publicKey: signer.publicKey });
  });

  test('does not open with one passphrase or a wrong one', async () => {
    const text = await seal();
    const [first, second] = passphrases;
    for (const wrong of [
      [first, first],
      [second, second],
      [first, 'another passphrase'],
      [first, ''],
    ] as const)
      expect(await shop.faultOf(openUnsent(text, wrong, stretchCost))).toBe('export.closed');
  });

  test('created with another cost is refused', async () => {
    const text = await seal();
    expect(await shop.faultOf(openUnsent(text, passphrases, systemStretchCost))).toBe('export.malformed');
    const renamed = text.replace(`"cost": ${stretchCost}`, `"cost": ${systemStretchCost}`);
    expect(await shop.faultOf(openUnsent(renamed, passphrases, systemStretchCost))).toBe('export.forged');
  });

  test('refuses one passphrase for two people, and a short one', async () => {
    expect(await shop.faultOf(seal(['one and the same', 'one and the same']))).toBe('export.weak');
    expect(await shop.faultOf(seal(['one and the same', 'short']))).toBe('export.weak');
  });

  test('a changed character anywhere is refused', async () => {
    const text = await seal();
    const good = await openUnsent(text, passphrases, stretchCost);
    for (let n = 0; n < 150; n++) {
      const index = chance.between(0, text.length - 1);
      const other = chance.one(['A', 'z', '7', '"']);
      const changed = `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
      if (changed === text) continue;
      try {
        // Some Base64 bits carry nothing: then the content is the same.
        expect(await openUnsent(changed, passphrases, stretchCost), `character ${index}`).toEqual(good);
      } catch (error) {
        expect(error, `character ${index}`).toHaveProperty('code', expect.stringMatching(/^export\./));
      }
    }
  }, 60_000);
});
