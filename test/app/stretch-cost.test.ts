/** The cost of guessing a PIN or passphrase in the product: the only tests that use the real cost. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openOwnTill } from '../../src/app/own-till.ts';
import { serveTill } from '../../src/app/serve.ts';
import { tillServices } from '../../src/app/services.ts';
import { toHex } from '../../src/base/hex.ts';
import { stretch, systemStretchCost } from '../../src/base/stretch.ts';
import { openingOf, withFolderTill } from '../../src/cli/till-options.ts';
import { openWith, parseCode, recoveryStretchCost } from '../../src/folder/keys/key-file.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { pinFits } from '../../src/staff/people.ts';
import type { Staff } from '../../src/staff/running.ts';
import { answerCheck } from '../support/api/api-answers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stretch-cost-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the cost is 32 768 blocks for secrets chosen by people, and 16 384 for the recovery code', () => {
  expect([systemStretchCost, recoveryStretchCost]).toEqual([32_768, 16_384]);
});

test('a key is derived from a password as in RFC 7914', async () => {
  const key = await stretch('pleaseletmein', Buffer.from('SodiumChloride'), 16_384);
  expect(toHex(key)).toBe('7023BDCB3AFD7348461C06CD81FD38EBFDA8FBBA904F8E3EA9B543F6545DA1F2');
});

const saltHex = '000102030405060708090A0B0C0D0E0F';

test('a PIN stored by an earlier version still works', async () => {
  const hash = 'A1AC2136CC2EAA0529F23E5A40A37DFABB5CECC61657A0CF7BAF5EA4215711AE';
  const stored = { salt: saltHex, cost: 32_768, hash };
  expect(await pinFits('471193', new Uint8Array(32).fill(7), stored)).toBe(true);
});

test('a key that an earlier version sealed with a recovery code can still be opened', async () => {
  const code = parseCode('ABCDE-FGHJK-MNPQR-STVWX-YZ012-3') ?? '';
  const sealed = {
    salt: saltHex,
    iv: '000102030405060708090A0B',
    sealed: '46BCB105CA8B71C34B30D0043E7CCED2F0BF2F2EC2A1088E453C240BD2D1F39D',
    tag: '093CDF6B1E3213688D4A51BEA5829494',
  };
  expect(await openWith(code, sealed, recoveryStretchCost)).toEqual(Buffer.alloc(32, 5));
});

/** A gateway that is never asked. */
const gateway = { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' };
const flags = () => ({ data: folder, gateway: gateway.baseUrl, channel: `${gateway.entityId}:${gateway.token}` });

type Opened = { staff: Staff; journal: Journal };

/** The cost with which the first manager's PIN is stored. */
const costOfPin = async ({ staff, journal }: Opened): Promise<number> => {
  await staff.add({ name: 'Ana', role: 'manager', pin: '471193' });
  const [added] = journal.about('staff');
  return (JSON.parse(added?.body ?? '') as { pin: { cost: number } }).pin.cost;
};

const withOwnTill = async <T>(work: (till: Opened) => Promise<T>): Promise<T> => {
  const own = await openOwnTill({ ...(await openingOf(flags())), version: '1' });
  try {
    return await work(own.running);
  } finally {
    await own.close();
  }
};

const costsByWay: Record<string, () => Promise<number>> = {
  'a served till': async () => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>till</title>');
    const served = await serveTill({
      ...{ dataDir: folder, at: { port: 0 }, version: '1', page: folder, answerCheck, services: tillServices, gateway },
    });
    try {
      return await costOfPin(served.running());
    } finally {
      await served.close();
    }
  },
  'a command over a till': () => withOwnTill(costOfPin),
  'a command over a till’s folder': async () => {
    await withOwnTill(async () => {});
    return withFolderTill({ data: folder }, costOfPin);
  },
};

test.each(Object.entries(costsByWay))('%s stores PINs with the product’s cost', async (_, cost) => {
  expect(await cost()).toBe(systemStretchCost);
});

test('the cost is set in no other place', () => {
  const files = ['src', 'electron'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, name)),
  );
  const names = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /stretchCost\b.*\b(\d|env\b)/i.test(line)),
  );
  expect(names).toEqual([
    'export const systemStretchCost: StretchCost = 2 ** 15;',
    'export const recoveryStretchCost: StretchCost = 2 ** 14;',
  ]);
});
