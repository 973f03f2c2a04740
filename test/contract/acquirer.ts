/** What the gateway relies on from every acquirer, whoever moves the money behind it. */
import { afterEach, describe, expect, test } from 'vitest';
import { money } from '../../src/base/money.ts';
import type { Acquirer, Authorisation, Reference, ReferenceOperation } from '../../src/gateway/payments/acquirer.ts';
import { meaningOf } from '../../src/gateway/spec/results.ts';

export type AcquirerUnderTest = {
  acquirer: Acquirer;
  /** Another process with the same memory. */
  restarted: () => Acquirer;
  now: () => number;
  close: () => Promise<void>;
};

const ENTITY = '8a8294174e735d0c014e78beb6b9154b';
/** The amounts that both test systems decline, and those whose answer is lost. */
const DECLINED = 800_051n;
const ANSWER_LOST = 800_068n;

let last = 0;
const nextId = (): string => {
  last += 1;
  return `ac${last.toString(16).padStart(30, '0')}`;
};

const card = { number: '4200000000000000', expiryMonth: '12', expiryYear: '2031' };

const sale = (at: number, more: Partial<Pick<Authorisation, 'id' | 'paymentType' | 'amount'>> = {}): Authorisation => ({
  id: nextId(),
  paymentType: 'DB',
  amount: money(1250n, 'EUR'),
  account: 'card',
  paymentBrand: 'VISA',
  card,
  parameters: {
    entityId: ENTITY,
    testMode: 'EXTERNAL',
    paymentBrand: 'VISA',
    merchantTransactionId: 'till-7-000042',
    'card.number': card.number,
    'card.expiryMonth': card.expiryMonth,
    'card.expiryYear': card.expiryYear,
  },
  customParameters: {},
  at,
  ...more,
});

type Follow = {
  at: number;
  of: string;
  operation: ReferenceOperation;
  minor?: bigint;
  parent?: string;
  sequence?: 'FINAL';
};
const follow = ({ at, of, operation, minor = 1250n, parent, sequence }: Follow): Reference => ({
  id: nextId(),
  of,
  parent,
  operation,
  amount: money(minor, 'EUR'),
  parameters: { entityId: ENTITY, testMode: 'EXTERNAL', ...(sequence === undefined ? {} : { sequence }) },
  at,
});

/** Registers the suite for one acquirer. */
export const acquirerContract = (name: string, open: () => Promise<AcquirerUnderTest>): void => {
  describe(`the acquirer's contract: ${name}`, () => {
    const closing: (() => Promise<void>)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0)) await close();
    });
    const openAcquirer = async (): Promise<AcquirerUnderTest> => {
      const under = await open();
      closing.push(() => under.close());
      return under;
    };
    const meaningOfReply = async (answer: Promise<{ resultCode: string }>) => meaningOf((await answer).resultCode);

    test('approves, echoes the masked account, and finds the payment again in another process', async () => {
      const { acquirer, restarted, now } = await openAcquirer();
      const request = sale(now());
      const answer = await acquirer.authorise(request);
      expect(meaningOf(answer.resultCode)).toBe('approved');
      expect(JSON.stringify(answer)).not.toContain(card.number);
      expect(await restarted().inquire(request.id, request.at)).toEqual(answer);
    });

    test('declines with a declining code', async () => {
      const { acquirer, restarted, now } = await openAcquirer();
      const request = sale(now(), { amount: money(DECLINED, 'EUR') });
      const answer = await acquirer.authorise(request);
      expect(meaningOf(answer.resultCode)).toBe('declined');
      expect(await restarted().inquire(request.id, request.at)).toEqual(answer);
    });

    test('repeats the first answer to the same request, and moves the money once', async () => {
      const { acquirer, restarted, now } = await openAcquirer();
      const request = sale(now());
      const answer = await acquirer.authorise(request);
      expect(await restarted().authorise(request)).toEqual(answer);
      const refund = follow({ at: now(), of: request.id, operation: 'refund' });
      const refunded = await acquirer.refer(refund);
      expect(meaningOf(refunded.resultCode)).toBe('approved');
      expect(await restarted().refer(refund)).toEqual(refunded);
      expect(await meaningOfReply(acquirer.refer(follow({ at: now(), of: request.id, operation: 'refund' })))).toBe(
        'refused',
      );
    });

    test('a used id with another amount is not carried out', async () => {
      const { acquirer, now } = await openAcquirer();
      const request = sale(now());
      await acquirer.authorise(request);
      expect(await meaningOfReply(acquirer.authorise({ ...request, amount: money(1251n, 'EUR') }))).toBe('unknown');
      const refund = follow({ at: now(), of: request.id, operation: 'refund', minor: 1251n });
      expect(await meaningOfReply(acquirer.refer(refund))).toBe('refused');
    });

    test('says nothing certain when an answer is lost, and tells the truth on an inquiry', async () => {
      const { acquirer, restarted, now } = await openAcquirer();
      const request = sale(now(), { amount: money(ANSWER_LOST, 'EUR') });
      expect(await meaningOfReply(acquirer.authorise(request))).toBe('unknown');
      // The inquiry finds the approved payment, and never reports that it was declined or never arrived.
      const found = await restarted().inquire(request.id, request.at);
      expect(found === undefined ? 'never' : meaningOf(found.resultCode)).toBe('approved');
    });

    test('never carries out a request that it reported as not received', async () => {
      const { acquirer, restarted, now } = await openAcquirer();
      const request = sale(now());
      expect(await acquirer.inquire(request.id, request.at)).toBeUndefined();
      expect(await meaningOfReply(restarted().authorise(request))).toBe('declined');
      expect(await restarted().inquire(request.id, request.at)).toBeUndefined();
      expect(await meaningOfReply(acquirer.refer(follow({ at: now(), of: request.id, operation: 'refund' })))).toBe(
        'refused',
      );
    });

    test('captures, and refunds the capture, but never more than was captured', async () => {
      const { acquirer, now } = await openAcquirer();
      const start = sale(now(), { paymentType: 'PA' });
      await acquirer.authorise(start);
      const capture = follow({ at: now(), of: start.id, operation: 'capture', minor: 1000n });
      expect(await meaningOfReply(acquirer.refer(capture))).toBe('approved');
      const refund = (minor: bigint) =>
        meaningOfReply(
          acquirer.refer(follow({ at: now(), of: start.id, operation: 'refund', minor, parent: capture.id })),
        );
      expect([await refund(600n), await refund(401n), await refund(400n)]).toEqual(['approved', 'refused', 'approved']);
    });

    test.each([
      ['a last capture releases the rest', 'FINAL', 'refused'],
      ['after another one the rest can be reversed', undefined, 'approved'],
    ] as const)('%s', async (_, sequence, reversal) => {
      const { acquirer, now } = await openAcquirer();
      const start = sale(now(), { paymentType: 'PA' });
      await acquirer.authorise(start);
      const refer = (operation: ReferenceOperation, minor: bigint, more = {}) =>
        meaningOfReply(acquirer.refer(follow({ at: now(), of: start.id, operation, minor, ...more })));
      expect(await refer('capture', 1000n, sequence === undefined ? {} : { sequence })).toBe('approved');
      expect(await refer('reverse', 250n)).toBe(reversal);
      expect(await refer('capture', 1n)).toBe('refused');
    });

    test.each(['capture', 'reverse', 'refund'] as const)(
      'a %s of an unknown payment is refused, and is remembered',
      async (operation) => {
        const { acquirer, restarted, now } = await openAcquirer();
        const request = follow({ at: now(), of: nextId(), operation });
        expect(await meaningOfReply(acquirer.refer(request))).toBe('refused');
        const found = await restarted().inquire(request.id, request.at);
        expect(found === undefined ? 'never' : meaningOf(found.resultCode)).toMatch(/^(never|refused)$/);
      },
    );

    test('a reversal takes effect once', async () => {
      const { acquirer, now } = await openAcquirer();
      const start = sale(now());
      await acquirer.authorise(start);
      const reverse = () => meaningOfReply(acquirer.refer(follow({ at: now(), of: start.id, operation: 'reverse' })));
      expect([await reverse(), await reverse()]).toEqual(['approved', 'refused']);
    });

    test('two simultaneous requests with one id move the money once', async () => {
      const { acquirer, restarted, now } = await openAcquirer();
      const request = sale(now());
      const meanings = await Promise.all(
        [acquirer, restarted()].map((each) => meaningOfReply(each.authorise(request))),
      );
      expect(meanings.filter((each) => each !== 'unknown')).toContain('approved');
      const refunds = () => meaningOfReply(acquirer.refer(follow({ at: now(), of: request.id, operation: 'refund' })));
      expect([await refunds(), await refunds()]).toEqual(['approved', 'refused']);
    });
  });
};
