/** For any answer to any queued message: only what ends the sale is called an ending, and nothing else settles it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault } from '../../../src/base/fault.ts';
import type { FullLedger } from '../../../src/ledger/ledger.ts';
import type { HostReply, Meaning, OutgoingMessage } from '../../../src/till/ports.ts';
import { chipCard, createReply, LIFE_MS, type Rig, tillRig } from '../../support/till/till-rig.ts';

const meanings: Meaning[] = ['approved', 'declined', 'pending', 'refused', 'later', 'unknown'];
const codes = `000.100.110 800.100.155 100.396.103 700.400.300 700.400.530 700.400.570 700.400.580 800.900.300
  900.100.300 900.100.310 000.200.000 999.999.999`.split(/\s+/);

/** The right value in four of five cases, otherwise a wrong value or none. */
const mostlyRight = <T>(right: T, ...wrong: T[]) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant<T | undefined>(right) },
    { weight: 1, arbitrary: fc.constantFrom<T | undefined>(undefined, ...wrong) },
  );
const payment = (sale: string) =>
  fc.record({
    id: mostlyRight('e'.repeat(32), 'short'),
    paymentType: fc.constantFrom('DB', 'RV', 'RF', 'XX'),
    merchantTransactionId: mostlyRight(sale, '0'.repeat(32)),
    amount: mostlyRight('10.00', '9.99', 'ten'),
    currency: mostlyRight('EUR', 'USD', '???'),
    result: mostlyRight({ code: '000.100.110' }, { code: '800.100.155' }, { code: '100.396.103' }),
  });
const answer = (sale: string): fc.Arbitrary<HostReply> =>
  fc
    .tuple(
      fc.constantFrom(...codes),
      fc.constantFrom(...meanings),
      payment(sale),
      fc.array(payment(sale), { maxLength: 3 }),
    )
    .map(([code, means, one, payments]) => createReply(code, means, { ...one, payments }));
const noAnswer = fc.constantFrom<HostReply>(
  { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'x' }) },
  { kind: 'silent', fault: new Fault('host.silent', { why: 'x' }) },
);
const reply = (sale: string) => fc.oneof({ weight: 8, arbitrary: answer(sale) }, { weight: 1, arbitrary: noAnswer });

/** A till with an offline sale, an unanswered sale and an unanswered refund: a message of each kind. */
const queueMessages = async (rig: Rig): Promise<OutgoingMessage[]> => {
  const run = rig.open();
  const { receipt } = (await rig.clock.until(run.sell(1_000n).done)).intent;
  rig.fates.push('notReached');
  await rig.clock.until(run.sell(1_000n).done);
  rig.fates.push('answerLost', 'answerLost');
  const refund = run.till.refund({ receipt }, () => {});
  await rig.clock.until(refund.done);
  // The first of these is for the refund, which is inquired about before the next sale.
  rig.fates.push('notReached', 'answerLost', 'answerLost');
  await rig.clock.until(run.sell(1_000n).done);
  const messages = run.outbox.waiting().map((message) => {
    const secret = run.outbox.open(message.id);
    return { ...message, secret };
  });
  run.close();
  return messages;
};

/** The same sale is inquired about a thousand times: its evidence is not under test. */
const hideEnds = (ledger: FullLedger): FullLedger => ({
  ...ledger,
  record: (sale, event, message) => (event.on === 'asked' ? undefined : ledger.record(sale, event, message)),
});

test('an approval or a decline of a delivery always has the event that settles it, and nothing else does', async () => {
  const rig = tillRig(chipCard);
  try {
    const messages = await queueMessages(rig);
    expect(messages.map(({ kind }) => kind).sort()).toEqual(['forward', 'repeat', 'reversal']);
    // From now on "not found" is proof.
    await rig.clock.advance(LIFE_MS);
    const seenKeys = new Set<string>();
    let replies: HostReply[] = [];
    const nextReply = async () => replies.shift() ?? createReply('999.999.999', 'unknown');
    const meaningOf = (code: string) => rig.host.meaningOf(code);
    const run = rig.open({
      host: { pay: nextReply, refer: nextReply, find: nextReply, list: nextReply, meaningOf },
      ledger: hideEnds,
    });
    for (const message of messages) {
      const four = fc.array(reply(message.sale), { minLength: 4, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(four, fc.boolean(), async (reports, tried) => {
          replies = [...reports];
          const { means, event } = await run.till.deliver({ ...message, tried });
          expect(event !== undefined, `${message.kind} ${means}`).toBe(means === 'approved' || means === 'declined');
          seenKeys.add(`${message.kind} ${means}`);
        }),
        { numRuns: 300 },
      );
    }
    run.close();
    // Chance must have produced the good endings too.
    expect([...seenKeys]).toEqual(expect.arrayContaining(['forward approved', 'repeat declined', 'reversal approved']));
  } finally {
    rig.remove();
  }
});
