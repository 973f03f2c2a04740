/** The outcomes that a test can trigger: result codes, response codes by amount, missing answers. */
import { describe, expect, test } from 'vitest';
import { money } from '../../../src/base/money.ts';
import { responses, triggerOf } from '../../../src/gateway/acquirers/simulator/responses.ts';
import { meaningOf, describe as words } from '../../../src/gateway/spec/results.ts';
import { virtualClock } from '../../support/time/virtual-clock.ts';
import { acquirer, available, cardOf, inquire, memory, present, reference } from './shop-counter.ts';

const forceCode = (code: string) => cardOf('4111111111111111', { custom: { forceResultCode: code } });

describe('forceResultCode', () => {
  test.each(['000.100.112', '800.100.155', '000.200.000', '900.100.300', '100.390.112'])('%s', async (code) => {
    const records = memory();
    const request = forceCode(code);
    const issuer = acquirer({ memory: records });
    const answer = await issuer.authorise(request);
    expect(answer.resultCode).toBe(code);
    expect(await inquire(issuer, request.id)).toEqual(answer);
    const isApproved = meaningOf(code) === 'approved';
    expect(available(records)).toEqual([10_000_000_000n - (isApproved ? 12_500n : 0n)]);
    expect(answer.clearing !== undefined).toBe(isApproved);
    expect(words(code)).not.toBe('unlisted result code');
  });

  test('overrides a wrong cryptogram, a stolen card, a missing card', async () => {
    const custom = { forceResultCode: '000.100.110' };
    const forgedRequest = present('visa-stolen', { custom, forged: { '9F26': '0000000000000000' } });
    expect((await acquirer().authorise(forgedRequest)).resultCode).toBe('000.100.110');
    const { card: _, ...withoutCard } = forceCode('000.100.110');
    const issuer = acquirer();
    expect((await issuer.authorise(withoutCard)).resultCode).toBe('000.100.110');
    expect((await issuer.refer(reference('refund', withoutCard.id))).resultCode).toBe('000.100.110');
  });

  test.each(['000.100', 'abc.def.ghi', '000.100.1100', ' 000.100.110'])('"%s" is refused', async (code) => {
    const request = forceCode(code);
    const issuer = acquirer();
    expect((await issuer.authorise(request)).resultCode).toBe('200.300.404');
    expect(await inquire(issuer, request.id)).toBeUndefined();
  });

  test('counts as absent when empty', async () => {
    expect((await acquirer().authorise(forceCode(''))).resultCode).toBe('000.100.110');
  });
});

describe('amounts', () => {
  const numbered = Object.keys(responses).filter((code) => /^\d\d$/.test(code) && code !== '00');

  test.each(numbered)('8000.%s is declined with that code', async (code) => {
    const request = cardOf('4111111111111111', { minor: 800_000n + BigInt(code), currency: 'USD' });
    const answer = await acquirer().authorise(request);
    expect(answer.details['AcquirerResponse']).toBe(code);
    expect(meaningOf(answer.resultCode)).not.toBe('approved');
  });

  test.each([
    ['nothing at 8000.00', 800_000n, 'EUR'],
    ['nothing for an unknown code', 800_099n, 'EUR'],
    ['nothing a hundred on', 800_105n, 'EUR'],
    ['nothing before', 799_905n, 'EUR'],
    ['nothing in yen', 800_005n, 'JPY'],
    ['nothing in dinars', 800_005n, 'KWD'],
  ])('%s', (_, minor, currency) => {
    expect(triggerOf({ amount: money(minor, currency), customParameters: {} })).toBeUndefined();
  });

  test('8000.68: the answer is lost, the money is held, an inquiry finds it, a reversal releases it', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const request = present('visa-credit', { minor: 800_068n });
    expect(await issuer.authorise(request)).toEqual({ resultCode: '900.100.300', details: {} });
    expect(available(records)).toEqual([5_000_000n - 8_000_680n]);
    expect(await inquire(issuer, request.id)).toMatchObject({ resultCode: '000.100.110' });
    expect(await issuer.authorise(request)).toMatchObject({ resultCode: '000.100.110' });
    const reversal = reference('reverse', request.id, { minor: 800_068n });
    expect((await issuer.refer(reversal)).resultCode).toBe('000.100.110');
    expect(available(records)).toEqual([5_000_000n]);
  });

  test('8000.92: the request is lost, an inquiry finds nothing, and the id cannot be used any more', async () => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const request = present('visa-credit', { minor: 800_092n });
    expect((await issuer.authorise(request)).resultCode).toBe('900.100.300');
    expect(records.documents.size).toBe(0);
    expect(await inquire(issuer, request.id)).toBeUndefined();
    expect(available(records)).toEqual([]);
  });

  test('8000.98: approved, after twenty seconds, and recorded before', async () => {
    const clock = virtualClock();
    const records = memory();
    const issuer = acquirer({ clock, memory: records });
    const request = cardOf('4111111111111111', { minor: 800_098n });
    let progress = 'no';
    const authorisation = issuer.authorise(request).then((answer) => {
      progress = answer.resultCode;
    });
    while (records.documents.size === 0) await Promise.resolve();
    expect((await inquire(issuer, request.id))?.resultCode).toBe('000.100.110');
    expect(progress).toBe('no');
    await clock.advance(19_999);
    expect(progress).toBe('no');
    await clock.advance(1);
    await authorisation;
    expect(progress).toBe('000.100.110');
  });

  test.each<[bigint, string]>([
    [800_005n, '05'],
    [800_068n, '51'],
    [800_092n, '51'],
    [800_098n, '51'],
  ])('a deferred sale of %d is decided at once: %s', async (minor, code) => {
    const answer = await acquirer().authorise(present('visa-credit', { minor, custom: { offline: 'deferred' } }));
    expect(answer.details['AcquirerResponse']).toBe(code);
  });

  test.each([
    [800_005n, '800.100.152', '800.100.152', 0n],
    [800_068n, '900.100.300', '000.100.110', 8_000_680n],
    [800_092n, '900.100.300', undefined, 0n],
  ])('a rebill of %d is answered %s and recorded as %s', async (minor, answerCode, recordedCode, movedMinor) => {
    const records = memory();
    const issuer = acquirer({ memory: records });
    const request = cardOf('4111111111111111', { minor: 1_000n });
    await issuer.authorise(request);
    const rebill = reference('rebill', request.id, { minor });
    expect((await issuer.refer(rebill)).resultCode).toBe(answerCode);
    expect((await inquire(issuer, rebill.id))?.resultCode).toBe(recordedCode);
    expect(available(records)).toEqual([10_000_000_000n - 10_000n - movedMinor]);
  });
});
