/** What is learnt about a sale after its ending: each event against each kind of ended sale, as one table. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFault } from '../../../src/base/fault.ts';
import type { SaleEvent } from '../../../src/till/machine/events.ts';
import type { Intent, Operation } from '../../../src/till/machine/facts.ts';
import { isOpen, next } from '../../../src/till/machine/sale.ts';
import type { EndedSale } from '../../../src/till/machine/states.ts';
import { type Rig, type TillRun, tillRig } from '../../support/till/till-rig.ts';

const intent = (operation: Operation, more: Partial<Intent> = {}): Intent => ({
  sale: 'a'.repeat(32),
  operation,
  amount: { minor: 700n, currency: 'EUR' },
  terminalId: '1',
  sequence: 1,
  receipt: 1,
  key: 'b'.repeat(32),
  at: 0,
  gateway: 'twin',
  ...more,
});

const ended = (operation: Operation, how: Omit<EndedSale, 'at' | 'intent'>, more: Partial<Intent> = {}): EndedSale => ({
  at: 'ended',
  intent: intent(operation, more),
  ...how,
});

const unknown = { ending: 'unknown', reason: 'unanswered' } as const;
const by = { who: 'Ana', role: 'manager', reason: 'the bank was called', evidence: 'statement of 2 January' };
const forced = (charged: boolean) =>
  ({
    ending: charged ? 'approved' : 'notSent',
    reason: charged ? 'personSaidDone' : 'personSaidNot',
    forced: { charged, ...by, awaited: true },
  }) as const;
const stored = { ending: 'approved', reason: 'approvedOffline', offline: 'chip' } as const;

const sales: Readonly<Record<string, EndedSale>> = {
  unknown: ended('sale', unknown),
  'unknown hold': ended('preauthorisation', unknown),
  'unknown refund': ended('refund', unknown),
  'at terminal': ended('sale', { ending: 'unknown', reason: 'unclearAtTerminal', forPerson: true }, { by: 'terminal' }),
  'forced yes': ended('sale', forced(true)),
  'forced no': ended('sale', forced(false)),
  'forced refund yes': ended('refund', forced(true)),
  'forced refund no': ended('refund', forced(false)),
  differs: ended('sale', { ...forced(true), forced: { charged: true, ...by }, differs: 'The gateway never had it' }),
  approved: ended('sale', { ending: 'approved', reason: 'approved' }),
  notSent: ended('sale', { ending: 'notSent', reason: 'neverArrived' }),
  'refund not sent': ended('refund', { ending: 'notSent', reason: 'neverArrived' }),
  reversed: ended('sale', { ending: 'declined', reason: 'reversed', reversal: 'done' }),
  'taken back': ended('sale', { ending: 'declined', reason: 'cardPulledAfterApproval', reversal: 'due' }),
  stored: ended('sale', stored),
  'stored void': ended('void', { ending: 'approved', reason: 'stored', offline: 'stored' }),
  'stored, sent': ended('sale', { ...stored, forwarded: { approved: true, answer: { code: '1', description: '' } } }),
};

const answer = { code: '000.100.110', description: 'done', payment: 'c'.repeat(32) };
const events: Readonly<Record<string, SaleEvent>> = {
  'said yes': { on: 'personSaid', charged: true, by },
  'said no': { on: 'personSaid', charged: false, by },
  'said yes, unsigned': { on: 'personSaid', charged: true },
  'yes, last word': { on: 'personSaid', charged: true, by, ends: true },
  'no, last word': { on: 'personSaid', charged: false, by, ends: true },
  'taken back': { on: 'reversed', how: 'reversed' },
  'not found': { on: 'reversed', how: 'notFound' },
  'was declined': { on: 'reversed', how: 'notApproved', answer },
  yes: { on: 'hostApproved', answer },
  no: { on: 'hostDeclined', answer },
  late: { on: 'approvedLate', answer },
  expired: { on: 'cardDataExpired', days: 30 },
  asked: { on: 'asked', whom: 'gateway', what: 'search', heard: { said: 'silent' } },
};

/** sale | event | ending and reason | open? | contradiction | message. Anything not listed changes nothing. */
const table = `
unknown           | said yes           | approved personSaidDone      | open   | | 
unknown           | said no            | notSent personSaidNot        | open   | | 
unknown           | taken back         | declined reversed            |        | | 
unknown           | not found          | notSent neverArrived         |        | | 
unknown           | was declined       | declined declinedByHost      |        | | 
unknown hold      | said yes           | approved personSaidDone      | open   | | 
unknown hold      | said no            | notSent personSaidNot        | open   | | 
unknown hold      | taken back         | declined reversed            |        | | 
unknown hold      | not found          | notSent neverArrived         |        | | 
unknown hold      | was declined       | declined declinedByHost      |        | | 
unknown refund    | said yes           | approved personSaidDone      | open   | | 
unknown refund    | said no            | notSent personSaidNot        | open   | | 
unknown refund    | yes                | approved refunded            |        | | 
unknown refund    | no                 | declined declinedByHost      |        | | 
at terminal       | said yes           | approved approved            |        | | 
at terminal       | said yes, unsigned | approved approved            |        | | 
at terminal       | yes, last word     | approved approved            |        | | 
at terminal       | no, last word      | notSent personSaidNot        |        | | 
at terminal       | said no            | notSent personSaidNot        |        | | 
forced yes        | taken back         | approved personSaidDone      | open   | The gateway has taken the payment back | 
forced yes        | not found          | approved personSaidDone      | open   | The gateway never had the payment | 
forced yes        | was declined       | approved personSaidDone      | open   | The gateway had not approved the payment | 
forced yes        | yes                | approved personSaidDone      |        | | 
forced yes        | no                 | approved personSaidDone      | open   | The gateway has declined it | 
forced no         | taken back         | notSent personSaidNot        |        | | 
forced no         | not found          | notSent personSaidNot        |        | | 
forced no         | was declined       | notSent personSaidNot        |        | | 
forced no         | yes                | notSent personSaidNot        | open   | The gateway has carried it out | 
forced no         | no                 | notSent personSaidNot        |        | | 
forced no         | late               | declined approvedLate        | open   | The gateway had approved it; it is taken back | 
forced refund yes | yes                | approved personSaidDone      |        | | 
forced refund yes | no                 | approved personSaidDone      | open   | The gateway has declined it | 
forced refund yes | taken back         | approved personSaidDone      | open   | The gateway has taken the payment back | 
forced refund yes | not found          | approved personSaidDone      | open   | The gateway never had the payment | 
forced refund yes | was declined       | approved personSaidDone      | open   | The gateway had not approved the payment | 
forced refund no  | yes                | notSent personSaidNot        | open   | The gateway has carried it out | 
forced refund no  | no                 | notSent personSaidNot        |        | | 
forced refund no  | taken back         | notSent personSaidNot        |        | | 
forced refund no  | not found          | notSent personSaidNot        |        | | 
forced refund no  | was declined       | notSent personSaidNot        |        | | 
forced refund no  | late               | approved refunded            | open   | The gateway has carried it out after it was said not to have been sent | 
unknown           | yes, last word     | approved personSaidDone      |        | | 
unknown           | no, last word      | notSent personSaidNot        |        | | 
unknown hold      | yes, last word     | approved personSaidDone      |        | | 
unknown hold      | no, last word      | notSent personSaidNot        |        | | 
unknown refund    | yes, last word     | approved personSaidDone      |        | | 
unknown refund    | no, last word      | notSent personSaidNot        |        | | 
forced yes        | yes, last word     | approved personSaidDone      |        | | 
forced yes        | no, last word      | notSent personSaidNot        |        | | 
forced no         | yes, last word     | approved personSaidDone      |        | | 
forced no         | no, last word      | notSent personSaidNot        |        | | 
forced refund yes | yes, last word     | approved personSaidDone      |        | | 
forced refund yes | no, last word      | notSent personSaidNot        |        | | 
forced refund no  | yes, last word     | approved personSaidDone      |        | | 
forced refund no  | no, last word      | notSent personSaidNot        |        | | 
stored            | yes, last word     | approved personSaidDone      |        | | 
stored            | no, last word      | notSent personSaidNot        |        | | 
stored void       | yes, last word     | approved personSaidDone      |        | | 
stored void       | no, last word      | notSent personSaidNot        |        | | 
taken back        | yes, last word     | approved personSaidDone      |        | | 
taken back        | no, last word      | declined cardPulledAfterApproval |        | | 
taken back        | taken back         | declined cardPulledAfterApproval |        | | 
taken back        | not found          | declined cardPulledAfterApproval |        | | 
taken back        | was declined       | declined cardPulledAfterApproval |        | | 
differs           | yes, last word     | approved personSaidDone      |        | | 
differs           | no, last word      | notSent personSaidNot        |        | | 
differs           | said yes           | approved personSaidDone      |        | | 
differs           | said no            | notSent personSaidNot        |        | | 
notSent           | late               | declined approvedLate        | open   | | reverse
refund not sent   | late               | approved refunded            | open   | The gateway has carried it out after it was said not to have been sent | 
stored            | expired            | notSent cardDataExpired      |        | | 
`;

const rows = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([sale, event, ...rest]) => [`${sale} | ${event}`, rest.join(' | ')] as const),
);

const cases = Object.keys(sales).flatMap((sale) => Object.keys(events).map((event) => [sale, event] as const));

test.each(cases)('%s, %s', (name, testCase) => {
  const sale = sales[name];
  const event = events[testCase];
  if (sale === undefined || event === undefined) throw new Error('no such row');
  const step = next(sale, event);
  const now = step?.sale.at === 'ended' ? step.sale : undefined;
  const text =
    now &&
    [`${now.ending} ${now.reason}`, isOpen(now) ? 'open' : '', now.differs ?? '', step?.outgoing ?? ''].join(' | ');
  expect(text).toBe(rows.get(`${name} | ${testCase}`));
});

test('every row of the table is a case', () => {
  const names = new Set(cases.map(([sale, event]) => `${sale} | ${event}`));
  expect([...rows.keys()].filter((row) => !names.has(row))).toEqual([]);
});

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const sellUnanswered = async (run: TillRun): Promise<string> => {
  rig.fates.push('answerLost', 'answerLost');
  const sale = run.sell(700n);
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  return sale.sale;
};

test('a sale decided by a person keeps its reversal; a contradiction shows until they decide again', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  const said = run.resolver.force(1, { charged: true, by: { ...by, evidence: 'card 4111 1111 1111 1111' } });
  expect(said.forced).toMatchObject({ charged: true, who: 'Ana', role: 'manager', awaited: true });
  expect(said.forced?.evidence).toBe('card 411111******1111');
  expect(run.outbox.holds(sale)).toBe(true);
  run.close();

  const reopened = rig.open();
  expect(reopened.till.recover()).toEqual([]);
  await reopened.passTime(3);
  expect(reopened.outbox.holds(sale)).toBe(false);
  const now = reopened.resolver.of(reopened.till.findSale(sale));
  expect([reopened.says(sale).ending, now.state]).toEqual(['approved personSaidDone', 'differs']);
  expect(now.known).toContain('But: The gateway has taken the payment back.');
  expect(rig.booked(sale)).toBe(0n);
  reopened.resolver.force(1, { charged: false, by });
  expect(reopened.says(sale).ending).toBe('notSent personSaidNot');
  expect(reopened.resolver.open()).toEqual([]);
  const messages = reopened.resolver.of(reopened.till.findSale(sale)).evidence.map(({ words }) => words);
  expect(messages.filter((text) => text.startsWith('Ana (manager) recorded'))).toHaveLength(2);
  reopened.close();
});

test('a sale decided by a person whose message is missing gets it again on the next start', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  run.resolver.force(1, { charged: false, by });
  run.journal.sql.run('DELETE FROM message');
  run.close();
  const next = rig.open();
  next.till.recover();
  await next.passTime(3);
  expect([next.says(sale).ending, rig.booked(sale), next.resolver.open()]).toEqual(['notSent personSaidNot', 0n, []]);
  next.close();
});

test('an uncontradicted ending cannot be changed by a person', async () => {
  const run = rig.open();
  await rig.clock.until(run.sell(700n).done);
  try {
    run.resolver.force(1, { charged: false, by });
    expect.unreachable();
  } catch (error) {
    expect(isFault(error, 'till.nothingOpen')).toBe(true);
  }
  expect(run.says(run.till.find(1).intent.sale).ending).toBe('approved approved');
  run.close();
});
