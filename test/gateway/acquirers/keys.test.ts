/** Key serial numbers: only valid ones, each use once, late ones within the window. */
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { keySerial } from '../../../src/gateway/acquirers/simulator/key-serial.ts';
import type { Acquirer } from '../../../src/gateway/payments/acquirer.ts';
import { acquirer, memory, present, sealPin } from './shop-counter.ts';

const swipe = async (issuer: Acquirer, ksn: string, id?: string) =>
  (await issuer.authorise(present('visa-stripe', { by: 'swipe', ksn: fromHex(ksn), id: id || undefined }))).details[
    'AcquirerResponse'
  ];

const ksnAt = (counter: number): string =>
  `FFFF01020000${(0x20_0000 + counter).toString(16).padStart(8, '0')}`.toUpperCase();

test.each<[string, number[], string]>([
  ['rising', [1, 2, 3], '00 00 00'],
  ['the same twice', [1, 1], '00 63'],
  ['late ones, once', [1, 5, 3, 3, 4, 2], '00 00 00 63 00 00'],
  ['a high first one', [0x1f_f800, 0x1f_f800], '00 63'],
  ['older than the window', [0x800, 1, 0x1000, 2], '00 00 00 63'],
])('%s', async (_, order, codes) => {
  const issuer = acquirer();
  const got: (string | undefined)[] = [];
  for (const counter of order) got.push(await swipe(issuer, ksnAt(counter)));
  expect(got.join(' ')).toBe(codes);
});

test('a repeat of the request gets the same answer and is not a replay', async () => {
  const issuer = acquirer();
  const request = present('visa-stripe', { by: 'swipe', ksn: fromHex(ksnAt(7)) });
  const first = await issuer.authorise(request);
  expect(await issuer.authorise(request)).toEqual(first);
  expect(first.resultCode).toBe('000.100.110');
});

test('one device’s uses do not affect another’s', async () => {
  const issuer = acquirer();
  expect(await swipe(issuer, 'FFFF0102000001000001')).toBe('00');
  expect(await swipe(issuer, 'FFFF0102000002000001')).toBe('00');
});

test('a replay is detected after a restart', async () => {
  const records = memory();
  expect(await swipe(acquirer({ memory: records }), ksnAt(9))).toBe('00');
  expect(await swipe(acquirer({ memory: records }), ksnAt(9))).toBe('63');
});

test('of many simultaneous requests with one serial number, one passes', async () => {
  const issuer = acquirer();
  const codes = await Promise.all(Array.from({ length: 20 }, () => swipe(issuer, ksnAt(11))));
  expect(codes.filter((code) => code === '00')).toHaveLength(1);
});

test('a PIN block cannot be used for another payment', async () => {
  const issuer = acquirer();
  const pin = sealPin('1234', '4761739001010010', fromHex('FFFF0103000001000001'));
  const requestWithPin = () => {
    const request = present('visa-credit');
    return { ...request, pos: { entryMode: 'ICC' as const, terminalId: '1', ...request.pos, encryptedPin: pin } };
  };
  expect((await issuer.authorise(requestWithPin())).details['AcquirerResponse']).toBe('00');
  expect((await issuer.authorise(requestWithPin())).details['AcquirerResponse']).toBe('63');
});

test('account data and PIN under one initial key count as two uses', async () => {
  const issuer = acquirer();
  const [first = '', second = '', third = ''] = [1, 2, 3].map(ksnAt);
  const request = present('visa-credit', { ksn: fromHex(first) });
  const encryptedPin = sealPin('1234', '4761739001010010', fromHex(second));
  const pos = { entryMode: 'ICC' as const, terminalId: '1', ...request.pos, encryptedPin };
  expect((await issuer.authorise({ ...request, pos })).details['AcquirerResponse']).toBe('00');
  expect([await swipe(issuer, first), await swipe(issuer, second), await swipe(issuer, third)]).toEqual([
    '63',
    '63',
    '00',
  ]);
});

describe('a key serial number', () => {
  test.each([
    ['counter zero', 'FFFF0102000001000000'],
    ['eleven ones', 'FFFF01020000010007FF'],
    ['of eleven bytes', '1122334455667788000001'],
    ['twelve bytes, counter zero', '112233445566778800000000'],
    ['twelve bytes, seventeen one-bits', '11223344556677880001FFFF'],
    ['cut short', 'FFFF01020000010000'],
    ['no hex', 'FFFF0102000001ZZ0001'],
    ['empty', ''],
  ])('%s is refused', async (_, ksn) => {
    expect(keySerial(ksn)).toBeUndefined();
    const request = present('visa-stripe', { by: 'swipe' });
    const encryptedSred = { data: request.pos?.encryptedSred?.data ?? '', ksn };
    const pos = { entryMode: 'MAGSTRIPE' as const, terminalId: '1', encryptedSred };
    expect((await acquirer().authorise({ ...request, pos })).details['AcquirerResponse']).toBe('63');
  });

  test('may omit its leading FFFF, in upper or lower case', () => {
    const serial = keySerial('FFFF9876543210E00001');
    expect(keySerial('9876543210e00001')).toEqual(serial);
    expect(serial).toMatchObject({ id: 'FFFF9876543210E00000', use: 1 });
    expect(toHex(serial?.bytes ?? new Uint8Array(0))).toBe('FFFF9876543210E00001');
  });

  test('of twelve bytes belongs to AES DUKPT', () => {
    const first = keySerial('112233445566778800000001');
    expect(first).toMatchObject({ scheme: 'aes', id: '112233445566778800000000', use: 1 });
    expect(keySerial('1122334455667788FFFF0000')?.use).toBe(2_448_023_842);
    // 1FFFE has sixteen one-bits, 1FFFF seventeen: 20000 follows.
    const uses = ['0001FFFE', '00020000'].map((counter) => keySerial(`1122334455667788${counter}`)?.use ?? 0);
    expect((uses[1] ?? 0) - (uses[0] ?? 0)).toBe(1);
  });

  test('counts uses without gaps', () => {
    // 7FF has eleven one-bits: 800 follows 7FE.
    expect(keySerial(ksnAt(0x800))?.use).toBe((keySerial(ksnAt(0x7fe))?.use ?? 0) + 1);
    expect(keySerial(ksnAt(0x1f_f800))?.use).toBe(1_048_575);
  });
});
