/** Unpaid sales at a till: each action in each state, signed and stored, and found again by reading the journal. */
import { afterEach, expect, test } from 'vitest';
import { isFault } from '../../src/base/fault.ts';
import { unpaidLines } from '../../src/cli/selling/unpaid.ts';
import { isSignedByTill } from '../../src/folder/keys/till-signer.ts';
import { unpaidEndBytes } from '../../src/offline/unpaid-sales.ts';
import { openRecoveryService } from '../../src/recovery/service.ts';
import { eventIn } from '../../src/till/machine/event-text.ts';
import type { EndedSale } from '../../src/till/machine/states.ts';
import { chipCard } from '../support/till/till-rig.ts';
import { booksRig, type Life, max, type Rig } from './manager-rig.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const reason = 'paid in cash, cash receipt 318';
const eur = (minor: bigint) => ({ minor, currency: 'EUR' });

const sellOffline = async (till: Life): Promise<EndedSale> => {
  rig.line.up = false;
  const sale = await till.sell(1_500n);
  rig.line.up = true;
  return sale;
};

const declineLater = async (till: Life): Promise<EndedSale> => {
  const sale = await sellOffline(till);
  rig.approvals.push(false);
  await till.drain();
  return sale;
};

const chargeAgain = async (till: Life, receipt: number, minor = 1_500n): Promise<EndedSale> => {
  const chargesAgain = till.running.unpaid.toCharge(receipt, eur(minor));
  return rig.done(till.running.till.sell({ amount: eur(minor), chargesAgain }, () => {}).done);
};

type State = (till: Life) => Promise<EndedSale>;
const states = {
  approved: (till) => till.sell(1_500n),
  waiting: sellOffline,
  open: declineLater,
  async 'declined again'(till) {
    const sale = await declineLater(till);
    rig.approvals.push(false);
    await chargeAgain(till, sale.intent.receipt);
    return sale;
  },
  async charging(till) {
    const sale = await declineLater(till);
    rig.line.up = false;
    await chargeAgain(till, sale.intent.receipt);
    return sale;
  },
  async 'charged again'(till) {
    const sale = await declineLater(till);
    await chargeAgain(till, sale.intent.receipt);
    return sale;
  },
  async 'charged again, voided'(till) {
    const sale = await declineLater(till);
    const retry = await chargeAgain(till, sale.intent.receipt);
    await till.follow(retry.intent.receipt, 'void');
    return sale;
  },
  async 'settled otherwise'(till) {
    const sale = await declineLater(till);
    await till.service.act(sale.intent.receipt, 'settleOtherwise', max, { reason });
    return sale;
  },
  async 'written off'(till) {
    const sale = await declineLater(till);
    await till.service.act(sale.intent.receipt, 'writeOff', max, { reason });
    return sale;
  },
} as const satisfies Record<string, State>;

const acts = {
  chargeAgain: (till: Life, receipt: number) => chargeAgain(till, receipt),
  settleOtherwise: (till: Life, receipt: number) => till.service.act(receipt, 'settleOtherwise', max, { reason }),
  writeOff: (till: Life, receipt: number) => till.service.act(receipt, 'writeOff', max, { reason }),
} as const;

/** The state, and the result of each action: the next state, or the fault. */
type Row = [now: string | undefined, chargeAgain: string, settleOtherwise: string, writeOff: string];
const table: Readonly<Record<keyof typeof states, Row>> = {
  approved: [undefined, 'unpaid.none', 'unpaid.none', 'unpaid.none'],
  waiting: [undefined, 'unpaid.none', 'unpaid.none', 'unpaid.none'],
  open: ['open', 'chargedAgain', 'settledOtherwise', 'writtenOff'],
  'declined again': ['open', 'chargedAgain', 'settledOtherwise', 'writtenOff'],
  charging: ['charging', 'unpaid.underWay', 'unpaid.underWay', 'unpaid.underWay'],
  'charged again': ['chargedAgain', 'unpaid.none', 'unpaid.none', 'unpaid.none'],
  'charged again, voided': ['open', 'chargedAgain', 'settledOtherwise', 'writtenOff'],
  'settled otherwise': ['settledOtherwise', 'unpaid.none', 'unpaid.none', 'unpaid.none'],
  'written off': ['writtenOff', 'unpaid.none', 'unpaid.none', 'unpaid.none'],
};

const stateAt = (till: Life, receipt: number): string | undefined =>
  till.running.unpaid.of(till.running.till.find(receipt))?.state;

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (isFault(error) ? error.code : error),
  );

/** Checks each view of the sale: the list, the day's figure, and the index, also when rebuilt from the journal. */
const expectShown = async (till: Life, receipt: number, state: string | undefined): Promise<void> => {
  expect(stateAt(till, receipt)).toBe(state);
  const items = till.service.openItems().filter((item) => item.receipt === receipt && item.kind === 'task');
  const buttons = state === 'open' ? ['chargeAgain', 'settleOtherwise', 'writeOff'] : [];
  expect(items.map(({ actions }) => actions)).toEqual(state === 'open' || state === 'charging' ? [buttons] : []);
  expect(till.service.today().openItems).toBe(till.service.openItems().length);
  const open = till.running.unpaid.open().map(({ sale }) => sale.intent.receipt);
  till.running.journal.sql.run("UPDATE ledger_index SET versions = 'older'");
  await till.close();
  const retry = await rig.opened();
  expect(retry.running.unpaid.open().map(({ sale }) => sale.intent.receipt)).toEqual(open);
  expect(stateAt(retry, receipt)).toBe(state);
  await retry.close();
};

const names = Object.keys(table) as (keyof typeof states)[];
const actNames = Object.keys(acts) as (keyof typeof acts)[];
const outcomeOf = (name: keyof typeof states, act: keyof typeof acts): string =>
  table[name][actNames.indexOf(act) + 1] ?? '';
const isRefused = (name: keyof typeof states): boolean => outcomeOf(name, 'writeOff').startsWith('unpaid.');

test.each(names.filter(isRefused))('on a sale that is %s every action is refused and changes nothing', async (name) => {
  rig = booksRig();
  const till = await rig.open();
  const { receipt } = (await states[name](till)).intent;
  const { length } = till.running.journal;
  for (const act of actNames) expect(await faultOf(acts[act](till, receipt))).toBe(outcomeOf(name, act));
  expect(till.running.journal.length).toBe(length);
  await expectShown(till, receipt, table[name][0]);
});

const done = names
  .filter((name) => !isRefused(name))
  // The ways to be open again do not differ from there on.
  .flatMap((name) => actNames.slice(name === 'open' ? 0 : 2).map((act) => [name, act] as const));

test.each(done)('%s: %s', async (name, act) => {
  rig = booksRig();
  const till = await rig.open();
  const { receipt } = (await states[name](till)).intent;
  expect(till.service.openItems()).toMatchObject([{ receipt, actions: actNames }]);
  await acts[act](till, receipt);
  await expectShown(till, receipt, outcomeOf(name, act));
});

test('a person’s decision is signed and masked, and is in the evidence and the audit list', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { intent } = await declineLater(till);
  await till.service.act(intent.receipt, 'writeOff', max, { reason: 'card 4111111111111111 cannot be reached' });
  const entry = till.running.journal.about(intent.sale).at(-1);
  const event = eventIn(entry?.body ?? '');
  if (event.on !== 'unpaidEnded') throw new Error('nothing was written down');
  expect(event.end).toMatchObject({ how: 'writtenOff', who: 'Max', role: 'manager' });
  expect(entry?.body).not.toContain('4111111111111111');
  expect(entry?.body).toContain('"ignorable":true');
  const bytes = unpaidEndBytes(intent, event.end, event.missing);
  expect(isSignedByTill(event.publicKey, bytes, event.signature)).toBe(true);
  const other = unpaidEndBytes(intent, { ...event.end, how: 'settledOtherwise' }, event.missing);
  expect(isSignedByTill(event.publicKey, other, event.signature)).toBe(false);
  const [row] = till.audit.page({ from: 0, most: 1 }).rows;
  expect(row).toMatchObject({ kind: 'unpaidEnded', by: 'Max', receipt: intent.receipt });
  expect(row?.words).toMatch(/^wrote off 15\.00 EUR/);
  await till.close();
});

test('a different card is named by its last four digits on both sales and in the open items', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { receipt } = (await declineLater(till)).intent;
  rig.card.data = { ...chipCard, maskedPan: '541333******1111' };
  rig.approvals.push(false);
  const retry = await chargeAgain(till, receipt);
  const { unpaid } = till.running;
  const other = { before: '0010', now: '1111' };
  expect(unpaid.otherCard(retry)).toEqual({ receipt, ...other });
  const [item] = till.service.openItems();
  expect(item?.sale.unpaid).toMatchObject({ otherCards: [{ receipt: retry.intent.receipt, ...other }] });
  expect(item?.evidence.map(({ words }) => words)).toContain(
    `receipt ${retry.intent.receipt} tried to charge it with another card: it ends in 1111, the card of this sale in 0010`,
  );
  const [task] = openRecoveryService({ ...till, clock: rig.clock, mode: 'test' }).queue().items;
  const lines = unpaidLines(task as never)
    .join(' ')
    .replaceAll(/\s+/g, ' ');
  expect(lines).toContain('with another card: it ends in 1111, the card of this sale in 0010.');
  // A charge to the same card adds no such line.
  rig.card.data = chipCard;
  const third = await chargeAgain(till, receipt);
  expect(unpaid.otherCard(third)).toBeUndefined();
  await till.close();
});

test('only a named person can decide, and only with a reason', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { intent } = await declineLater(till);
  const { permissions } = max;
  const act = (actor: typeof max, reasonGiven?: { reason: string }) =>
    till.service.act(intent.receipt, 'writeOff', actor, reasonGiven);
  await expect(act({ permissions }, { reason })).rejects.toMatchObject({ code: 'staff.needed' });
  await expect(act(max)).rejects.toMatchObject({ code: 'request.malformed' });
  await expect(act(max, { reason: ' x ' })).rejects.toMatchObject({ code: 'request.malformed' });
  expect(till.service.openItems()).toHaveLength(1);
  await till.close();
});

test('a part can be charged again, never more than is missing, and the rest stays open', async () => {
  rig = booksRig();
  const till = await rig.open();
  const { receipt } = (await declineLater(till)).intent;
  expect(() => till.running.unpaid.toCharge(receipt, eur(1_501n))).toThrow('unpaid');
  await chargeAgain(till, receipt, 1_000n);
  expect(till.service.openItems()).toMatchObject([
    { receipt, kind: 'task', missing: { amount: '5.00', currency: 'EUR' }, again: [receipt + 1] },
  ]);
  expect(() => till.running.unpaid.toCharge(receipt, eur(501n))).toThrow('unpaid');
  await chargeAgain(till, receipt, 500n);
  expect(till.service.openItems()).toEqual([]);
  await till.close();
});
