/** If something does not end by itself in a stated time, a person is called, and the till keeps trying. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isOverdue, OVERDUE_MINUTES } from '../../src/base/open-messages.ts';
import { load } from '../../src/locales/load.ts';
import { reasons } from '../../src/locales/messages/en/reasons.ts';
import { translateReason } from '../../src/locales/translate.ts';
import { openCardTries } from '../../src/queue/retry-rules.ts';
import { queueRows } from '../../src/recovery/queue-view.ts';
import { integratedDevice } from '../support/till/scripted-integrated-terminal.ts';
import { createReply, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const MINUTE_MS = 60_000;
const pending = createReply('700.400.570', 'refused');

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const rowsOf = ({ till, ledger, outbox, journal }: TillRun) =>
  queueRows({ till, ledger, outbox, tries: openCardTries(journal.sql), clock: rig.clock, sql: journal.sql });

const stateOf = (run: TillRun, sale: string) => [
  run.resolver.of(run.till.findSale(sale)).state,
  ...rowsOf(run).map(({ state }) => state),
];

test('an unfinished reversal is overdue after the stated minutes, and the till still tries', async () => {
  const run = rig.open({ host: { ...rig.host, refer: async () => pending } });
  rig.fates.push('answerLost', 'answerLost');
  const { sale, done } = run.sell(700n);
  await rig.clock.until(done);
  await run.passTime(14, MINUTE_MS);
  expect(stateOf(run, sale)).toEqual(['waiting', 'waiting']);
  await run.passTime(1, MINUTE_MS);
  expect(stateOf(run, sale)).toEqual(['overdue', 'overdue']);
  const { next, person } = run.resolver.of(run.till.findSale(sale));
  expect(next).toContain(`within ${OVERDUE_MINUTES} minutes. The till is still trying`);
  expect(person).toContain('npm run till -- resolve 1');
  const [row] = rowsOf(run);
  expect(row?.nextAt).toBeGreaterThan(rig.clock.now());
  expect(row?.toDo).toContain('resolve 1');
  run.close();
});

test('a reversal whose terminal does not come back is overdue too', async () => {
  let isThere = true;
  const device = integratedDevice({
    clock: rig.clock,
    nextTurn(question) {
      if (question !== 'pay') return 'works';
      isThere = false;
      return 'lostDuring';
    },
    outcomeFields: {},
    lines: { customer: [], merchant: [] },
  });
  const terminals = device.keep();
  const integrated = { ...terminals, get: () => (isThere ? terminals.get() : Promise.reject(new Error('unplugged'))) };
  const run = rig.open({ parts: { integrated } });
  const running = run.sell(700n);
  expect((await rig.clock.until(running.done)).ending).toBe('unknown');
  expect(stateOf(run, running.sale)).toEqual(['waiting', 'terminal']);
  await rig.clock.advance(15 * MINUTE_MS);
  expect(stateOf(run, running.sale)).toEqual(['overdue', 'overdue']);
  run.close();
});

test('a stored sale that waits for the line is not overdue', async () => {
  const run = rig.open();
  rig.fates.push('notReached');
  const { sale, done } = run.sell(700n);
  expect((await rig.clock.until(done)).offline).toBe('deferred');
  await rig.clock.advance(24 * 60 * MINUTE_MS);
  expect(stateOf(run, sale)).toEqual(['waiting', 'waiting']);
  run.close();
});

test('setting the clock back by a year delays nothing', () => {
  const at = Date.UTC(2026, 0, 1);
  expect(isOverdue(at, at - 1_000)).toBe(false);
  expect(isOverdue(at, at + 14 * MINUTE_MS)).toBe(false);
  expect(isOverdue(at, at + 15 * MINUTE_MS)).toBe(true);
  expect(isOverdue(at, at - 365 * 24 * 60 * MINUTE_MS)).toBe(true);
});

const languages = await Promise.all([load.en(), load.de(), load.fr(), load.es(), load.ar()]);

test.each(['unanswered', 'cancelledAfterApproval', 'approvedOtherAmount', 'unansweredAtTerminal'] as const)(
  'a cashier reads in each language when a person is called: %s',
  (reason) => {
    for (const { messages } of languages)
      expect(translateReason({ messages, language: 'en' }, { reason, ...reasons[reason] }).money).toContain(
        `${OVERDUE_MINUTES}`,
      );
  },
);

test('a manager reads the same next to overdue sales, in each language', () => {
  for (const { words } of languages) expect(words.manager.openItems.means.overdue).toContain(`${OVERDUE_MINUTES}`);
});
