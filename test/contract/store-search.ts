/** What every store's search must find: each filter, all of them together, in pages. */
import { beforeEach, describe, expect, test } from 'vitest';
import { shortIdOf } from '../../src/gateway/payments/short-id.ts';
import type { Payment } from '../../src/gateway/store/records.ts';
import type { PaymentQuery, Store } from '../../src/gateway/store/store.ts';
import { add, completed, idsOf, paymentOf, processing } from './store-samples.ts';

const stored: readonly Payment[] = [
  completed({ ...paymentOf(1), at: 100, paymentType: 'PA', merchantTransactionId: 'm' }),
  completed({ ...paymentOf(2), at: 200, paymentType: 'CP', rootId: paymentOf(1).id, referencedId: paymentOf(1).id }),
  completed({ ...paymentOf(3), at: 300, paymentMethod: 'DD', merchantTransactionId: 'M' }),
  processing({ ...paymentOf(4), at: 300, merchantTransactionId: 'm' }),
  // This payment came later but has an earlier time, because the clock was set back.
  completed({ ...paymentOf(5), at: 250, paymentType: 'RF', rootId: paymentOf(1).id, merchantTransactionId: 'm' }),
  completed({ ...paymentOf(6), at: 300, paymentMethod: 'VA', entityId: 'e2', merchantTransactionId: 'm' }),
];

const rows: readonly [says: string, query: Partial<PaymentQuery>, found: readonly number[]][] = [
  ['everything of its channel, newest first', {}, [4, 3, 5, 2, 1]],
  ['another channel', { entityId: 'e2' }, [6]],
  ['no channel', { entityId: 'e3' }, []],
  ['several channels', { entityId: ['e2', 'e1', 'e3'] }, [6, 4, 3, 5, 2, 1]],
  ['a reference of several channels', { entityId: ['e1', 'e2'], merchantTransactionId: 'm' }, [1, 4, 5, 6]],
  ['a short id of several channels', { entityId: ['e1', 'e2'], shortId: paymentOf(6).shortId }, [6]],
  ['a reference, in the order of arrival', { merchantTransactionId: 'm' }, [1, 4, 5]],
  ['a reference of another channel', { merchantTransactionId: 'm', entityId: 'e2' }, [6]],
  ['a short id', { shortId: paymentOf(3).shortId }, [3]],
  ['a short id of another channel', { shortId: paymentOf(6).shortId }, []],
  ['a chain, including its start', { rootId: paymentOf(1).id }, [1, 2, 5]],
  ['a chain of one', { rootId: paymentOf(3).id }, [3]],
  ['a chain whose start is not the start', { rootId: paymentOf(2).id }, []],
  ['from a time on', { from: 250 }, [4, 3, 5]],
  ['up to a time', { to: 250 }, [5, 2, 1]],
  ['a period, both ends included', { from: 200, to: 250 }, [5, 2]],
  ['an empty period', { from: 251, to: 250 }, []],
  ['a type', { paymentTypes: ['DB'] }, [4, 3]],
  ['types', { paymentTypes: ['PA', 'RF', 'XX'] }, [5, 1]],
  ['no type', { paymentTypes: [] }, []],
  ['a method', { paymentMethods: ['DD', 'VA'] }, [3]],
  [
    'all at once',
    { merchantTransactionId: 'm', from: 1, to: 299, paymentTypes: ['PA', 'RF'], rootId: paymentOf(1).id },
    [1, 5],
  ],
  ['a text that looks like SQL', { merchantTransactionId: "m' or '1'='1" }, []],
];

export const searchContract = (store: () => Store): void => {
  describe('search', () => {
    beforeEach(() => add(store(), ...stored));
    const ids = (numbers: readonly number[]) => numbers.map((number) => paymentOf(number).id);

    test.each(rows)('finds %s', async (_, query, found) => {
      const { payments, total } = await store().search({ entityId: 'e1', limit: 100, ...query });
      expect(idsOf(payments)).toEqual(ids(found));
      expect(total).toBe(found.length);
    });

    test('returns complete payments', async () => {
      const { payments } = await store().search({ entityId: 'e1', shortId: paymentOf(2).shortId, limit: 1 });
      expect(payments).toEqual([stored[1]]);
    });

    test('finds a short id in every cycle of its time, and those of an older version', async () => {
      const round = 1e10;
      const idAt = (beginning: string, time: number, end: number) =>
        `${beginning}${time.toString(16).padStart(11, '0')}${end.toString(16).padStart(20, '0')}`;
      const older = idAt('0', 1_767_355_200_000 - 3 * round, 2);
      const secondId = idAt('a', 1_767_355_200_000 + 2 * round, 2);
      const { shortId } = paymentOf(2);
      // Ids with the same end, but from a tenth of a second before and after.
      const others = [idAt('a', 1_767_355_199_999, 2), idAt('a', 1_767_355_200_100, 2)];
      await add(store(), ...[older, secondId, ...others].map((id) => completed({ id, shortId: shortIdOf(id) })));
      const { payments } = await store().search({ entityId: 'e1', shortId, limit: 9 });
      expect(idsOf(payments)).toEqual([paymentOf(2).id, older, secondId]);
      expect((await store().search({ entityId: 'e1', shortId: 'no number', limit: 9 })).total).toBe(0);
    });

    test.each([
      [2, 0, [4, 3]],
      [2, 2, [5, 2]],
      [2, 4, [1]],
      [2, 5, []],
      [2, 99, []],
      [5, 0, [4, 3, 5, 2, 1]],
      [0, 0, []],
    ])('at most %d after %d, and how many there are in all', async (limit, offset, found) => {
      const { payments, total } = await store().search({ entityId: 'e1', limit, offset });
      expect(idsOf(payments)).toEqual(ids(found));
      expect(total).toBe(5);
    });
  });
};
