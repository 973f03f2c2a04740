/** Chip requests: right and wrong cryptograms, the chip's own approvals, and the answer for the chip. */
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import {
  type CvnName,
  cardKeys,
  checkIssuerAuthentication,
  scriptMacOf,
} from '../../../src/emv/cryptogram-versions.ts';
import { type TestCardName, testKeys } from '../../../src/emv/test-cards.ts';
import { decodeTlv, find, findDeep } from '../../../src/emv/tlv.ts';
import type { Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../src/gateway/spec/acquirer-answer.ts';
import { acquirer, available, counters, memory, type Presented, present, testCardOf } from './shop-counter.ts';

const authorise = (name: TestCardName, options: Presented = {}) =>
  acquirer().authorise(present(name, { ...options, from: counters() }));

const forChip = ({ iccDataResponse = '' }: AcquirerAnswer) => decodeTlv(fromHex(iccDataResponse));

const checkAsCard = (name: TestCardName, request: Authorisation, answer: AcquirerAnswer) => {
  const card = testCardOf(name);
  const sentTags = decodeTlv(fromHex(request.pos?.iccDataRequest ?? ''));
  const tags = (tag: string) => find(sentTags, tag)?.value;
  return {
    cvn: card.cvn as CvnName,
    keys: cardKeys({ ...testKeys, pan: card.pan, psn: card.psn }),
    tags,
    cryptogram: tags('9F26') ?? new Uint8Array(0),
    data: find(forChip(answer), '91')?.value ?? new Uint8Array(0),
  };
};

const everyVersion: TestCardName[] = ['visa-credit', 'visa-debit', 'mastercard-tap', 'mastercard-m10', 'interac-debit'];

describe.each(everyVersion)('%s', (name) => {
  test.each(['chip', 'tap'] as const)(
    'approves a payment by %s with an answer that the card accepts',
    async (entry) => {
      const request = present(name, { by: entry, from: counters() });
      const answer = await acquirer().authorise(request);
      expect(answer).toMatchObject({
        resultCode: '000.100.110',
        statusText: 'APPROVED',
        account: {
          bin: testCardOf(name).pan.slice(0, 6),
          last4Digits: testCardOf(name).pan.slice(-4),
          expiryYear: '2031',
        },
        details: { AcquirerResponse: '00' },
      });
      expect(answer.clearing?.authorizationIssuerCode).toMatch(/^[A-Z0-9]{6}$/);
      expect(find(forChip(answer), '8A')?.value).toEqual(new Uint8Array(Buffer.from('00')));
      const { cvn, keys, ...proof } = checkAsCard(name, request, answer);
      expect(checkIssuerAuthentication(cvn, keys, proof)).toEqual({ genuine: true, approves: true });
    },
  );

  test('declines with an answer that the card accepts too', async () => {
    const request = present(name, { minor: 500_001n, from: counters() });
    const answer = await acquirer().authorise(request);
    expect(answer).toMatchObject({ resultCode: '800.100.155', details: { AcquirerResponse: '51' } });
    expect(answer.clearing).toBeUndefined();
    const { cvn, keys, ...form } = checkAsCard(name, request, answer);
    expect(checkIssuerAuthentication(cvn, keys, form)).toEqual({ genuine: true, approves: false });
  });

  test.each(['9F02', '9F1A', '95', '5F2A', '9A', '9C', '9F37', '82', '9F36', '9F10', '9F26'])(
    'a changed bit in %s is detected, and no answer is made for the chip',
    async (tag) => {
      const value = decodeTlv(fromHex(present(name, { from: counters() }).pos?.iccDataRequest ?? ''));
      const bytes = find(value, tag)?.value.slice() ?? new Uint8Array(1);
      // The last byte of Mastercard's data is a counter outside this cryptogram; the results are at the beginning.
      const offset = tag === '9F10' ? 5 : bytes.length - 1;
      bytes[offset] = (bytes[offset] ?? 0) ^ 0x01;
      const answer = await authorise(name, { forged: { [tag]: toHex(bytes) } });
      expect(answer.details['AcquirerResponse']).toBe('82');
      expect(answer.resultCode).toBe('800.100.158');
      expect(find(forChip(answer), '91')).toBeUndefined();
    },
  );

  test.each(['9F26', '9F10', '9F36', '9F37', '95'])('a request without tag %s is malformed', async (tag) => {
    expect((await authorise(name, { omittedTags: [tag] })).details['AcquirerResponse']).toBe('30');
  });
});

test('an absent "other amount" counts as zero', async () => {
  expect((await authorise('visa-credit', { omittedTags: ['9F03'] })).resultCode).toBe('000.100.110');
});

test.each([
  ['amount', { minor: 1_250n, tags: { '9F02': '000000001251' } }],
  ['currency', { tags: { '5F2A': '0840' } }],
])('a genuine cryptogram over another %s is declined', async (_, options) => {
  expect((await authorise('visa-credit', options)).details['AcquirerResponse']).toBe('13');
});

test.each([
  ['not TLV', '9F26'],
  ['not hex', 'ZZ'],
])('chip data that is %s is declined', async (_, iccDataRequest) => {
  const request = present('visa-credit', { from: counters() });
  const answer = await acquirer().authorise({
    ...request,
    pos: { ...(request.pos ?? failWithoutPos()), iccDataRequest },
  });
  expect(answer.details['AcquirerResponse']).toBe('30');
});

const failWithoutPos = (): never => {
  throw new Error('a chip request has pos');
};

test('a chip request without chip data is declined, but a refund is not', async () => {
  const withoutChipData = (type: 'DB' | 'CD'): Authorisation => {
    const request = present('visa-credit', { type, from: counters() });
    const { iccDataRequest: _, ...pos } = request.pos ?? failWithoutPos();
    return { ...request, pos };
  };
  expect((await acquirer().authorise(withoutChipData('DB'))).details['AcquirerResponse']).toBe('30');
  expect((await acquirer().authorise(withoutChipData('CD'))).details['AcquirerResponse']).toBe('00');
});

describe('a transaction counter', () => {
  test('is accepted once, in any order within the window', async () => {
    const issuer = acquirer();
    const codes: (string | undefined)[] = [];
    for (const atc of ['0500', '0502', '0501', '0502', '0501', '0102', '0101']) {
      codes.push(
        (await issuer.authorise(present('visa-credit', { tags: { '9F36': atc } }))).details['AcquirerResponse'],
      );
    }
    expect(codes).toEqual(['00', '00', '00', '94', '94', '94', '94']);
  });

  test('of a forged request does not count as used', async () => {
    const issuer = acquirer();
    const tags = { '9F36': '0007' };
    const forgedRequest = present('visa-credit', { tags, forged: { '9F26': '0000000000000000' } });
    expect((await issuer.authorise(forgedRequest)).details['AcquirerResponse']).toBe('82');
    expect((await issuer.authorise(present('visa-credit', { tags }))).details['AcquirerResponse']).toBe('00');
  });
});

describe('a payment approved by the chip', () => {
  const y3 = Buffer.from('Y3').toString('hex').toUpperCase();
  const offline = (extra: Presented = {}): Presented => ({
    cid: '40',
    custom: { offline: 'chip' },
    tags: { '8A': y3 },
    ...extra,
  });

  test.each<[string, TestCardName, Presented, string]>([
    ['with Y3', 'visa-credit', offline(), '00'],
    ['with Y1', 'visa-no-cvm', offline({ tags: { '8A': '5931' } }), '00'],
    ['with no word', 'visa-no-cvm', offline({ tags: {} }), '00'],
    ['by tap', 'visa-no-cvm', offline({ by: 'tap' }), '00'],
    ['beyond the funds', 'visa-poor', offline({ minor: 9_900n }), '00'],
    ['after the expiry date', 'visa-expired', offline(), '00'],
    ['stolen', 'visa-stolen', offline(), '43'],
    ['with an amount that would trigger a decline', 'visa-credit', offline({ minor: 800_005n }), '00'],
    ['but the cryptogram is wrong', 'visa-credit', offline({ forged: { '9F26': '0011223344556677' } }), '82'],
    ['but it is a request', 'visa-credit', offline({ cid: '80' }), '12'],
    ['but it is a refusal', 'visa-credit', offline({ cid: '00' }), '12'],
    ['but an issuer had answered', 'visa-credit', offline({ tags: { '8A': '3030' } }), '12'],
    ['but it is a stripe', 'visa-stripe', { by: 'swipe', custom: { offline: 'chip' } }, '12'],
    ['although the request does not say so', 'visa-poor', offline({ minor: 9_900n, custom: {} }), '00'],
  ])('%s', async (_, name, options, code) => {
    const records = memory();
    const answer = await acquirer({ memory: records }).authorise(present(name, { ...options, from: counters() }));
    expect(answer.details['AcquirerResponse']).toBe(code);
    const chargedMinor = code === '00' ? (options.minor ?? 1_250n) * 10n : 0n;
    expect(available(records)).toEqual([testCardOf(name).availableMinor * 10n - chargedMinor]);
  });

  test('the same approval reported twice counts once', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const report = { ...offline(), tags: { '8A': y3, '9F36': '0009' } };
    await issuer.authorise(present('visa-credit', report));
    const repeat = await issuer.authorise(present('visa-credit', report));
    expect(repeat).toMatchObject({ resultCode: '800.110.100', details: { AcquirerResponse: '94' } });
    expect(available(records)).toEqual([5_000_000n - 12_500n]);
  });

  test('a deferred request is decided like any other', async () => {
    const custom = { offline: 'deferred' };
    expect((await authorise('visa-credit', { custom })).details['AcquirerResponse']).toBe('00');
    expect((await authorise('visa-poor', { custom, minor: 1_001n })).details['AcquirerResponse']).toBe('51');
  });
});

describe('scripts', () => {
  const issuerScript = async (name: TestCardName, options: Presented) => {
    const request = present(name, { ...options, from: counters() });
    const answer = await acquirer().authorise(request);
    const list = forChip(answer);
    const template = find(list, '71') ?? find(list, '72');
    return { request, answer, template, command: template && findDeep([template], '86')?.value };
  };

  test.each<[TestCardName]>([['visa-stolen']])('a %s card gets the command to block itself', async (name) => {
    const { request, answer, template, command = new Uint8Array(0) } = await issuerScript(name, {});
    expect(template?.tag).toBe('71');
    expect(toHex(command.subarray(0, 5))).toBe('841E000008');
    const { cvn, keys, data: _, ...proof } = checkAsCard(name, request, answer);
    expect(command.subarray(5)).toEqual(scriptMacOf(cvn, keys, { ...proof, command: command.subarray(0, 5) }));
  });

  test('a contactless card gets no script, because it is gone', async () => {
    expect((await issuerScript('visa-stolen', { by: 'tap' })).template).toBeUndefined();
  });

  test.each<[TestCardName, string]>([
    ['visa-credit', '06011203A04000'],
    ['mastercard-credit', '0114A00000080000DAC10000000000000000'],
  ])('a %s with no offline PIN tries left gets them back after a right PIN', async (name, iad) => {
    const { template, command = new Uint8Array(0) } = await issuerScript(name, { pin: '1234', tags: { '9F10': iad } });
    expect(template?.tag).toBe('72');
    expect(toHex(command.subarray(0, 5))).toBe('8424000008');
    expect((await issuerScript(name, { pin: '4321', tags: { '9F10': iad } })).template).toBeUndefined();
  });
});
