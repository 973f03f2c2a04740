/** Online PINs: verified, counted when wrong, the count forgotten after a day. */
import { describe, expect, test } from 'vitest';
import type { Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import { acquirer, counters, memory, NOW, present, sealPin, sharedCounters } from './shop-counter.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Sends these PINs one after the other; `-` sends none. */
const codesOfPins = async (pins: string, at: (index: number) => number = () => NOW) => {
  const issuer = acquirer();
  const codes: string[] = [];
  for (const [index, pin] of pins.split(' ').entries()) {
    const options = pin === '-' ? {} : { pin };
    codes.push(
      (await issuer.authorise(present('visa-credit', { ...options, at: at(index) }))).details['AcquirerResponse'] ?? '',
    );
  }
  return codes.join(' ');
};

test.each([
  ['1234', '00'],
  ['4321', '55'],
  ['1234 4321 1234', '00 55 00'],
  ['4321 4321 1234 4321 4321 1234', '55 55 00 55 55 00'],
  ['4321 4321 4321', '55 55 75'],
  ['4321 4321 4321 1234', '55 55 75 75'],
  ['4321 4321 4321 - 1234', '55 55 75 00 75'],
])('%s → %s', async (pins, codes) => {
  expect(await codesOfPins(pins)).toBe(codes);
});

test('the tries are reset a day after the last wrong PIN, not before', async () => {
  expect(await codesOfPins('4321 4321 4321 1234', (index) => NOW + (index === 3 ? DAY_MS : 0))).toBe('55 55 75 75');
  expect(await codesOfPins('4321 4321 4321 1234', (index) => NOW + (index === 3 ? DAY_MS + 1 : 0))).toBe('55 55 75 00');
});

test('the count survives the process', async () => {
  const records = memory();
  for (const expected of ['55', '55', '75']) {
    const answer = await acquirer({ memory: records }).authorise(present('visa-credit', { pin: '0000' }));
    expect(answer.details['AcquirerResponse']).toBe(expected);
  }
});

test('a forged cryptogram uses up no tries', async () => {
  const issuer = acquirer();
  for (let time = 0; time < 5; time += 1) {
    await issuer.authorise(present('visa-credit', { pin: '4321', forged: { '9F26': '0000000000000000' } }));
  }
  expect((await issuer.authorise(present('visa-credit', { pin: '1234' }))).details['AcquirerResponse']).toBe('00');
});

describe('a PIN block', () => {
  const withPin = (encryptedPin: { data: string; ksn: string }): Authorisation => {
    const request = present('visa-credit');
    return { ...request, pos: { entryMode: 'ICC', terminalId: '1', ...request.pos, encryptedPin } };
  };
  const other = '4111111111111111';
  const bad = counters('FFFF0103000002');

  test.each([
    ['of another card', () => sealPin('1234', other, bad.nextKsn()), '81'],
    [
      'under another key',
      () => ({ ...sealPin('1234', '4761739001010010', bad.nextKsn()), ksn: 'FFFF0103000003000001' }),
      '81',
    ],
    ['too long', () => ({ data: '00'.repeat(16), ksn: 'FFFF0103000003000002' }), '81'],
    ['empty', () => ({ data: '', ksn: 'FFFF0103000003000004' }), '81'],
    ['not hex', () => ({ data: 'pin', ksn: 'FFFF0103000003000008' }), '81'],
    ['under no key', () => ({ data: '00'.repeat(8), ksn: 'FFFF0103000003000000' }), '63'],
  ])('%s', async (_, block, code) => {
    expect((await acquirer().authorise(withPin(block()))).details['AcquirerResponse']).toBe(code);
  });

  test('that cannot be decrypted does not count as a wrong PIN', async () => {
    const issuer = acquirer();
    for (let time = 0; time < 4; time += 1) {
      await issuer.authorise(withPin(sealPin('1234', other, sharedCounters.nextKsn())));
    }
    expect((await issuer.authorise(present('visa-credit', { pin: '1234' }))).details['AcquirerResponse']).toBe('00');
  });
});
