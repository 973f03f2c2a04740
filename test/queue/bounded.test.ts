/** Whatever the answers are, a message is tried a limited number of times and then parked for a person. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Journal, journalIn } from '../../src/journal/journal.ts';
import { createForwarder } from '../../src/queue/forwarder.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import {
  ANSWERS_MOST,
  RENEWED_TRIES,
  type TryOutcome,
  UNKNOWN_ANSWERS_MOST,
  verdicts,
} from '../../src/queue/policy.ts';
import { sealer } from '../../src/queue/seal.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
let journal: Journal;
let outbox: Outbox;
const clock = virtualClock(1_000_000);
const random = (length: number) => new Uint8Array(length);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'queue-bounded-'));
  const path = join(folder, 'journal.db');
  journal = journalIn(openSqlUnsynced(path), path, { clock });
  outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), random));
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const MORE = 3 * ANSWERS_MOST;

/** The number of tries before the message is parked; undefined if it never is. */
const triesOf = async (answers: readonly TryOutcome[]): Promise<number | undefined> => {
  outbox.put({ id: 'm', kind: 'forward', sale: 's', key: 'm', body: '{}' }, clock.now());
  return restOf(answers);
};

const restOf = async (answers: readonly TryOutcome[]): Promise<number | undefined> => {
  let tries = 0;
  const deliver = async () => {
    const means = answers[tries % answers.length] ?? 'approved';
    tries += 1;
    return { means, note: 'as told', settle: () => outbox.settle('m') };
  };
  const sender = createForwarder({ outbox, deliver, clock, random, report: () => {} });
  for (let n = 0; n < MORE; n++) await sender.drain('all');
  await sender.stop();
  return outbox.waiting().length === 0 ? tries : undefined;
};

const silent: readonly TryOutcome[] = ['notSent', 'silent', 'held'];
const answered = (Object.keys(verdicts) as TryOutcome[]).filter((means) => !silent.includes(means));
const isDecidedInOne = (means: TryOutcome) => verdicts[means] !== 'later';

test.each(answered)('%s for ever', async (means) => {
  const most = means === 'unknown' ? UNKNOWN_ANSWERS_MOST + 1 : ANSWERS_MOST + 1;
  expect(await triesOf([means])).toBe(isDecidedInOne(means) ? 1 : most);
});

test.each([
  [['unknown', 'later']],
  [['unknown', 'unknown', 'undecided']],
  [['undecided', 'later', 'unknown', 'later']],
] as const)('%s in turn, forever', async (answers) => {
  expect(await triesOf(answers)).toBe(ANSWERS_MOST + 1);
});

test.each(silent)('%s is not an answer: the message is tried forever', async (means) => {
  expect(await triesOf([means])).toBeUndefined();
});

test('a silent line between answers resets no count', async () => {
  expect(await triesOf(['later', 'silent'])).toBe(2 * ANSWERS_MOST + 1);
});

test('a person gives the message as many tries again', async () => {
  expect(await triesOf(['later'])).toBe(ANSWERS_MOST + 1);
  expect(outbox.unpark(clock.now())).toBe(1);
  expect(outbox.waiting()[0]?.answers).toBe(0);
});

test('a start gives more tries only to messages with too many answers', async () => {
  await triesOf(['later']);
  outbox.renew(clock.now());
  expect(await restOf(['later'])).toBe(RENEWED_TRIES + 1);
  outbox.renew(clock.now());
  expect(await restOf(['approved'])).toBe(1);
});

test.each(['unknown', 'refused'] as const)('a start leaves a message that is %s to the person', async (means) => {
  await triesOf([means]);
  outbox.renew(clock.now());
  expect(outbox.waiting()).toEqual([]);
});
