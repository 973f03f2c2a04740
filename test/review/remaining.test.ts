/** Properties that do not hold yet. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Sql, SqlValue } from '../../src/journal/sql.ts';
import { forwarder } from '../../src/queue/forwarder.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { openLedger } from '../../src/runtime/ledger.ts';
import { diskFull, eur, type Rig, tillRig } from '../support/till-rig.ts';

const zeros = (length: number) => new Uint8Array(length);

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

/** For test/till/refunds.test.ts. */
test('a refund whose answers were lost is asked about before it is sent again: keys forgotten meanwhile do not give it twice', async () => {
  let era = '';
  const life = rig.open({
    host: { ...rig.host, refer: (payment, parameters, key) => rig.host.refer(payment, parameters, `${key}${era}`) },
  });
  const { receipt } = (await rig.clock.until(life.sell(1_000n).done)).intent;
  rig.fates.push('answerLost', 'answerLost');
  const refund = life.till.refund({ receipt, amount: eur(400n) }, () => {});
  expect((await rig.clock.until(refund.done)).ending).toBe('unknown');
  expect(rig.booked(refund.sale)).toBe(-400n);
  era = ' two days later';
  await life.pass(1, 2 * 86_400_000);
  expect([life.says(refund.sale).ending, rig.booked(refund.sale)]).toEqual(['approved refunded', -400n]);
  life.close();
});

/** For test/queue/started.test.ts. */
test.each(['silent', 'refused'] as const)(
  'a disk too full even to note a try does not make a started forwarder spin (%s)',
  async (means) => {
    const life = rig.open();
    life.outbox.put({ id: 'm', kind: 'reversal', sale: 's', key: 'k', body: '{}' }, rig.clock.now());
    const full = () => {
      throw diskFull();
    };
    const outbox: Outbox = { ...life.outbox, retryAt: full, park: full };
    let asked = 0;
    const sender = forwarder({
      outbox,
      clock: rig.clock,
      random: zeros,
      report: () => {},
      async deliver() {
        asked += 1;
        if (asked > 500) void sender.stop();
        return { means, note: '', settle: () => {} };
      },
    });
    sender.start();
    await rig.clock.advance(1_000);
    await sender.stop();
    life.close();
    expect(asked).toBeLessThan(5);
  },
);

/** For test/till/unwritten.test.ts: one more row. */
test('a negative amount is refused for what it is', () => {
  const life = rig.open();
  expect(() => life.till.sell({ amount: eur(-100n) }, () => {})).toThrow(
    expect.objectContaining({ code: 'amount.unpositive' }),
  );
  life.close();
});

/** For test/queue/many.test.ts. */
test('what a sale asks of the queue is not looked for among all that was ever settled', () => {
  const life = rig.open();
  const plans: string[] = [];
  const explained = (text: string, values: SqlValue[]): void => {
    const steps = life.journal.sql.all(`EXPLAIN QUERY PLAN ${text}`, ...values);
    if (text.includes('message')) plans.push(...steps.map(({ detail }) => `${detail}: ${text}`));
  };
  const sql: Sql = {
    ...life.journal.sql,
    get(text, ...values) {
      explained(text, values);
      return life.journal.sql.get(text, ...values);
    },
    all(text, ...values) {
      explained(text, values);
      return life.journal.sql.all(text, ...values);
    },
  };
  const outbox = openOutbox(sql, sealer(zeros(32), zeros));
  const ledger = openLedger(life.journal, outbox, rig.clock);
  ledger.exposure();
  ledger.isQueued('s');
  outbox.nextAt();
  outbox.due(rig.clock.now());
  outbox.due(rig.clock.now(), 'unknown');
  expect(plans.length).toBeGreaterThan(4);
  expect(plans.filter((plan) => plan.startsWith('SCAN message:'))).toEqual([]);
  life.close();
});
