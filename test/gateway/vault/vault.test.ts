/** The vault: an encrypted record opens again as the same record, and as nothing else. */
import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/ids.ts';
import type { SealedAccount } from '../../../src/gateway/store/records.ts';
import { openKeyring } from '../../../src/gateway/vault/keyring.ts';
import { openVault, proveVault, type StoredAccount } from '../../../src/gateway/vault/vault.ts';

const PAN = '4539578763621486';
const card: StoredAccount = {
  kind: 'card',
  'card.number': PAN,
  'card.holder': 'Jane Jones',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};
const owner = { id: '0'.repeat(31).concat('1'), entityId: 'a'.repeat(32) };

const keyring = () => openKeyring({ at: { dataDir: ':memory:' }, random: systemRandom, clock: { now: () => 0 } });
const vaultOf = (keys = keyring()) => openVault(keys, systemRandom);

describe('seal and open', () => {
  test('an encrypted account can be decrypted', () => {
    const vault = vaultOf();
    expect(vault.open(vault.seal(card, owner), owner)).toEqual(card);
  });

  test('any text in an account is returned unchanged', () => {
    const vault = vaultOf();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (holder) => {
        const account = { ...card, 'card.holder': holder };
        expect(vault.open(vault.seal(account, owner), owner)).toEqual(account);
      }),
    );
  });

  test('equal accounts are encrypted differently each time', () => {
    const vault = vaultOf();
    const [first, second] = [vault.seal(card, owner), vault.seal(card, owner)];
    expect(first.box).not.toBe(second.box);
    expect(first.wrappedKey).not.toBe(second.wrappedKey);
  });

  test.each<[string, string]>([
    ['as text', PAN],
    ['as hex', Buffer.from(PAN).toString('hex')],
    ['as base64', Buffer.from(PAN).toString('base64').slice(0, 20)],
  ])('the number does not appear %s in the encrypted account', (_, trace) => {
    expect(JSON.stringify(vaultOf().seal(card, owner))).not.toContain(trace);
  });
});

describe('tampering', () => {
  const vault = vaultOf();
  const sealed = vault.seal(card, owner);
  const brokenFault = expect.objectContaining({ code: 'vault.broken', message: expect.stringContaining(owner.id) });

  test.each(['box', 'wrappedKey'] as const)('a change of any byte of the %s is detected', (part) => {
    const sealedBytes = Buffer.from(sealed[part], 'base64');
    for (let offset = 0; offset < sealedBytes.length; offset += 1) {
      const changedBytes = Buffer.from(sealedBytes);
      changedBytes.writeUInt8(changedBytes.readUInt8(offset) ^ 1, offset);
      expect(() => vault.open({ ...sealed, [part]: changedBytes.toString('base64') }, owner)).toThrow(brokenFault);
    }
  });

  test.each(['box', 'wrappedKey'] as const)('a %s of any other length is refused', (part) => {
    const sealedBytes = Buffer.from(sealed[part], 'base64');
    for (let length = 0; length < sealedBytes.length; length += 1) {
      const truncated = sealedBytes.subarray(0, length).toString('base64');
      expect(() => vault.open({ ...sealed, [part]: truncated }, owner)).toThrow(brokenFault);
    }
    expect(() => vault.open({ ...sealed, [part]: `${sealed[part]}AAAA` }, owner)).toThrow(brokenFault);
  });

  test.each<[string, (other: SealedAccount) => SealedAccount]>([
    ['the whole record', (other) => other],
    ['the box', ({ box }) => ({ ...sealed, box })],
    ['the wrapped key', ({ wrappedKey }) => ({ ...sealed, wrappedKey })],
  ])('%s of another registration is refused', (_, swapFields) => {
    const other = vault.seal({ ...card, 'card.number': '4000056655665556' }, { ...owner, id: 'f'.repeat(32) });
    expect(() => vault.open(swapFields(other), owner)).toThrow(brokenFault);
  });

  test('another channel’s registration with the same id is refused', () => {
    expect(() => vault.open(sealed, { ...owner, entityId: 'b'.repeat(32) })).toThrow(brokenFault);
  });

  test('a key id that names another key of the ring is refused', () => {
    const keys = keyring();
    const rotatingVault = vaultOf(keys);
    const before = rotatingVault.seal(card, owner);
    keys.renew();
    expect(() => rotatingVault.open({ ...before, keyId: rotatingVault.keyId() }, owner)).toThrow(brokenFault);
  });

  test('a missing key is distinguished from damage', () => {
    const unknown = expect.objectContaining({ code: 'vault.keyUnknown', message: expect.stringContaining('0123') });
    expect(() => vault.open({ ...sealed, keyId: '0123' }, owner)).toThrow(unknown);
  });

  test.each([
    ['a whole record', sealed],
    ['a broken one', { ...sealed, box: '' }],
  ])('another vault does not open %s, and reveals nothing of it', (_, record) => {
    expect(() => vaultOf().open(record, owner)).toThrow(expect.objectContaining({ code: 'vault.keyUnknown' }));
  });
});

describe('parameters that are never stored', () => {
  test.each([
    'card.cvv',
    'tokenAccount.cryptogram',
    'tokenAccount.dtvc',
    'giftCard.pin',
    'pos.encryptedPin.data',
    'pos.encryptedSred.data',
    'threeDSecure.verificationId',
    'applePay.paymentToken',
  ])('%s', (name) => {
    const refusedFault = expect.objectContaining({ code: 'vault.refused', message: expect.stringContaining(name) });
    expect(() => vaultOf().seal({ ...card, [name]: '123' }, owner)).toThrow(refusedFault);
  });

  test.each<[string, StoredAccount]>([
    ['a name that does not belong to an account', { ...card, 'customer.email': 'jane@example.com' }],
    ['no number', { kind: 'card', 'card.holder': 'Jane Jones' }],
    ['nothing', {}],
  ])('%s', (_, account) => {
    expect(() => vaultOf().seal(account, owner)).toThrow(expect.objectContaining({ code: 'vault.refused' }));
  });

  test('a number in the place of a name is not revealed', () => {
    const sealWrongCard = () => vaultOf().seal({ ...card, [`${PAN} `]: 'x' }, owner);
    expect(sealWrongCard).toThrow(expect.objectContaining({ code: 'vault.refused' }));
    expect(sealWrongCard).not.toThrow(PAN);
  });
});

describe('the look-up hash', () => {
  const vault = vaultOf();

  test.each<[string, StoredAccount, StoredAccount]>([
    ['a card, by its number alone', card, { 'card.number': PAN, 'card.expiryYear': '2040' }],
    ['a card, with any spacing', card, { 'card.number': '4539 5787 6362 1486' }],
    [
      'an IBAN',
      { 'bankAccount.iban': 'DE89370400440532013000' },
      { 'bankAccount.iban': 'de89 3704 0044 0532 0130 00', 'bankAccount.holder': 'Jane Jones' },
    ],
    [
      'an account at its bank',
      { 'bankAccount.number': '532013000', 'bankAccount.bankCode': '37040044' },
      { 'bankAccount.number': '532013000', 'bankAccount.bankCode': '37040044', 'bankAccount.country': 'DE' },
    ],
  ])('is equal for %s', (_, left, right) => {
    expect(vault.hashOf(left)).toBe(vault.hashOf(right));
    expect(vault.hashOf(left)).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, StoredAccount, StoredAccount]>([
    ['of two cards', card, { 'card.number': '4000056655665556' }],
    ['of a card and a token with one number', card, { 'tokenAccount.number': PAN }],
    [
      'of two banks with one account number',
      { 'bankAccount.number': '532013000', 'bankAccount.bankCode': '37040044' },
      { 'bankAccount.number': '532013000', 'bankAccount.bankCode': '37040045' },
    ],
    [
      'of virtual accounts that differ in case',
      { 'virtualAccount.accountId': 'Jane' },
      { 'virtualAccount.accountId': 'jane' },
    ],
  ])('differs %s', (_, left, right) => {
    expect(vault.hashOf(left)).not.toBe(vault.hashOf(right));
  });

  test('differs between vaults', () => {
    expect(vaultOf().hashOf(card)).not.toBe(vault.hashOf(card));
  });

  test('stays the same when the key is renewed', () => {
    const keys = keyring();
    const rotatingVault = vaultOf(keys);
    const before = rotatingVault.hashOf(card);
    keys.renew();
    expect(rotatingVault.hashOf(card)).toBe(before);
    expect(vaultOf(keys).hashOf(card)).toBe(before);
  });

  test('is an HMAC-SHA-256 under a key that HKDF derives (RFC 2104, RFC 5869)', () => {
    const keys = keyring();
    const key = hkdfSync('sha256', keys.lookup, '', 'tillgate vault account hash', 32);
    const expected = createHmac('sha256', Buffer.from(key)).update(`["card","${PAN}"]`).digest('hex');
    expect(vaultOf(keys).hashOf(card)).toBe(expected);
  });
});

describe('the owner of a database', () => {
  const store = () => {
    const facts = new Map<string, string>();
    return {
      facts,
      async keepFact(name: string, value: string) {
        if (!facts.has(name)) facts.set(name, value);
        return facts.get(name) ?? '';
      },
    };
  };

  test('is the first vault, also after its key was renewed', async () => {
    const keys = keyring();
    const rememberingStore = store();
    await proveVault(rememberingStore, vaultOf(keys));
    keys.renew();
    await expect(proveVault(rememberingStore, vaultOf(keys))).resolves.toBeUndefined();
    expect([...rememberingStore.facts.values()]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  });

  test('is never another vault, which is refused', async () => {
    const rememberingStore = store();
    await proveVault(rememberingStore, vaultOf());
    await expect(proveVault(rememberingStore, vaultOf())).rejects.toMatchObject({ code: 'vault.foreign' });
  });
});

test('re-wrapping changes only the wrapped key, and the box opens as before', () => {
  const keys = keyring();
  const vault = vaultOf(keys);
  const before = vault.seal(card, owner);
  keys.renew();
  const after = vault.rewrap(before, owner);
  expect(after).toEqual({ keyId: vault.keyId(), wrappedKey: expect.any(String), box: before.box });
  expect(after.keyId).not.toBe(before.keyId);
  expect([before, after].map((sealed) => vault.open(sealed, owner))).toEqual([card, card]);
});

test('a record can be decrypted from its description alone: nonce, AES-256-GCM, tag, associated data (NIST SP 800-38D)', () => {
  const keys = keyring();
  const { keyId, wrappedKey, box } = vaultOf(keys).seal(card, owner);
  const open = (key: Uint8Array, associated: unknown, base64: string) => {
    const sealedBytes = Buffer.from(base64, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, sealedBytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(JSON.stringify(associated))).setAuthTag(sealedBytes.subarray(-16));
    return Buffer.concat([decipher.update(sealedBytes.subarray(12, -16)), decipher.final()]);
  };
  const dataKey = open(keys.keyOf(keyId).key, ['data key', keyId], wrappedKey);
  expect(dataKey).toHaveLength(32);
  expect(JSON.parse(open(dataKey, ['account', owner.entityId, owner.id], box).toString())).toEqual(card);
});
