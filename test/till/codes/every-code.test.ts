/**
 * Each code of the catalogue, returned for ever for each kind of message: the message ends, or a person is called and
 * ends it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { meaningOf } from '../../../src/base/code-meanings.ts';
import { codes, rowOf } from '../../../src/base/result-codes.ts';
import catalogue from '../../../src/gateway/spec/result-codes.json' with { type: 'json' };
import { ANSWERS_MOST, UNKNOWN_ANSWERS_MOST } from '../../../src/queue/policy.ts';
import { byNight } from '../../support/night/night.ts';
import { chipCard, eur, type Rig, type TillRun, tillRig } from '../../support/till/till-rig.ts';
import { endlessGateway, type Inquiry } from './endless-gateway.ts';

const all = [...Object.keys(catalogue), '999.999.998', '123.456.789'];

/**
 * What the catalogue's clients read as an approval, or as a possible one: success, review, in progress, recorded
 * chargebacks, lost lines, broken systems, duplicates, and uncategorised codes. Two of the lost lines say that nothing
 * moved.
 */
const perhapsYes: readonly RegExp[] = [
  /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/,
  /^(000\.400\.0[^3]|000\.400\.100)/,
  /^000\.200/,
  /^(800\.400\.5|100\.400\.500)/,
  /^000\.100\.2/,
  /^(900\.|000\.400\.030)/,
  /^(800\.[56]|999\.|600\.1|800\.800\.[84])/,
  /^800\.110/,
  /^(000\.5|123)/,
];
const nothingMoved = ['900.100.301', '900.100.310'];
const isPerhapsYes = (code: string) => !nothingMoved.includes(code) && perhapsYes.some((pattern) => pattern.test(code));

test('no possible approval is a decline, and no certain decline stays open', () => {
  const wrong = all.filter((code) => ['declined', 'refused', 'later'].includes(meaningOf(code)) === isPerhapsYes(code));
  expect(wrong).toEqual([]);
});

/** The names used in the till's own files: each of these codes may be treated specially. */
const names = new Set(
  readdirSync('src/till', { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(`src/till/${file}`, 'utf8').matchAll(/\bcodes\.(\w+)/g)])
    .map(([, name]) => codes[name as keyof typeof codes]),
);

/** Codes that till and queue cannot distinguish: they know only what the table says. */
const readingOf = (code: string): string => {
  const { prefix: _, mend: _words, ...row } = rowOf(code);
  return JSON.stringify([row, names.has(code as never) ? code : '']);
};
const byReading = Object.values(Object.groupBy(all, readingOf)).map((group = []) => group);

type Shop = { rig: Rig; run: TillRun; now: ReturnType<typeof endlessGateway>['now'] };
type Running = { sale: string; done: Promise<unknown> };
const run = async ({ rig }: Shop, { sale, done }: Running): Promise<string> => {
  await rig.clock.until(done);
  return sale;
};
const receiptOf = ({ run }: Shop, sale: string) => run.till.findSale(sale).intent.receipt;
const sellOnce = (shop: Shop) => run(shop, shop.run.sell(1_000n));
const preauthorise = (shop: Shop) =>
  run(
    shop,
    shop.run.till.preauthorise({ amount: eur(1_000n) }, () => {}),
  );
const refund = (shop: Shop, sale: string) => shop.run.till.refund({ receipt: receiptOf(shop, sale) }, () => {});
const complete = (shop: Shop, sale: string) =>
  shop.run.till.follow({ receipt: receiptOf(shop, sale), operation: 'completion' }, () => {});

/** Each kind begins with a working gateway. `breakLine`: from then on the gateway returns the code. */
type Kind = (shop: Shop, breakLine: () => void) => Promise<string>;
const kinds = {
  async sale(shop, breakLine) {
    breakLine();
    return sellOnce(shop);
  },
  async refund(shop, breakLine) {
    const sale = await sellOnce(shop);
    breakLine();
    return run(shop, refund(shop, sale));
  },
  async forward(shop, breakLine) {
    shop.rig.fates.push('notReached');
    const sale = await sellOnce(shop);
    breakLine();
    return sale;
  },
  async follow(shop, breakLine) {
    const sale = await preauthorise(shop);
    shop.rig.fates.push('notReached');
    const stored = await run(shop, complete(shop, sale));
    breakLine();
    return stored;
  },
  async repeat(shop, breakLine) {
    const sale = await sellOnce(shop);
    shop.rig.fates.push('requestLost', 'notReached');
    const unanswered = await run(shop, refund(shop, sale));
    breakLine();
    return unanswered;
  },
  async reversal(shop, breakLine) {
    shop.rig.fates.push('answerLost', 'notReached');
    const unanswered = await sellOnce(shop);
    breakLine();
    return unanswered;
  },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof kinds;

const PATIENCE = UNKNOWN_ANSWERS_MOST + 1;

/** `countsUp`: sets the counter so high that few answers remain before a person is called. */
const waitForRest = async ({ rig, run }: Shop, countsUp: boolean): Promise<void> => {
  for (let pass = 0; pass <= ANSWERS_MOST + 1 && run.outbox.waiting().length > 0; pass++) {
    await rig.clock.advance(300_000);
    await run.drain();
    if (countsUp && pass === PATIENCE)
      run.journal.sql.run("UPDATE message SET answers = ? WHERE state = 'waiting'", ANSWERS_MOST);
  }
};

/** Whether parked messages are tried again: a gateway that never changes brings them back to the person. */
const retries = byNight({ day: false, night: true });

const by = { who: 'Ana', role: 'manager', reason: 'the bank was called', evidence: 'statement of 2 January' };

const play = async (shop: Shop, { kind, code, countsUp }: { kind: KindName; code: string; countsUp: boolean }) => {
  const { run, now } = shop;
  now.code = undefined;
  const sale = await kinds[kind](shop, () => {
    now.code = code;
  });
  const text = run.says(sale).ending.split(' ')[0];
  await waitForRest(shop, countsUp);
  const ended = run.says(sale).ending;
  const isParked = run.outbox.parked().some((message) => message.sale === sale);
  const waitingCount = run.outbox.waiting().length;
  // A parked message has two buttons: another try, and a decision that ends it.
  if (isParked && retries) {
    run.outbox.unpark(shop.rig.clock.now(), sale);
    await waitForRest(shop, countsUp);
  }
  const isStillParked = run.outbox.parked().some((message) => message.sale === sale);
  if (isStillParked) run.resolver.force(receiptOf(shop, sale), { charged: false, by });
  const left = [run.resolver.open(), run.outbox.waiting(), run.outbox.parked()].map(({ length }) => length);
  return { text, ended, isParked, isStillParked, waits: waitingCount, left };
};

const isApprovedCode = (code: string) => meaningOf(code) === 'approved';
const isNo = (ending: string) => /^(declined|notSent)/.test(ending);

/** Returns what the report would say wrongly for this code. */
const findUntruth = (
  { kind, code, inquiry }: { kind: KindName; code: string; inquiry: Inquiry },
  { text = '', ended }: { text: string | undefined; ended: string },
): string | undefined => {
  // An approval in the other mode is reversed, and a reversal of a test channel's approval moved no money.
  if (rowOf(code).mode === 'live' || (kind === 'reversal' && code === codes.notConfigured)) return undefined;
  // A gateway that reports that it has no such payment decides the outcome.
  const isDecided = inquiry === 'nothing' || (inquiry === 'same' && code === codes.transactionNotFound);
  if (kind === 'reversal')
    return isNo(ended) && !isApprovedCode(code) && !isDecided ? 'kept, but reported as reversed' : undefined;
  if (isPerhapsYes(code) && isNo(text)) return 'a possible approval, reported as a decline';
  if (isPerhapsYes(code) && isNo(ended) && !isDecided) return 'a possible approval, ended as a decline';
  const isLive = kind === 'sale' || kind === 'refund';
  if (!isPerhapsYes(code) && isLive && text === 'unknown') return 'a decline, reported as unknown';
  if (!isPerhapsYes(code) && inquiry === 'listed' && ended.startsWith('unknown') && !isMendable(code))
    return 'a decline, unknown for ever';
  return undefined;
};

/** The message is sent again once the cause is fixed, or once someone can decide. */
const isMendable = (code: string) => rowOf(code).sorting !== undefined && rowOf(code).sorting !== 'over';

const inquiries: readonly Inquiry[] = ['listed', 'nothing', 'same'];
const cases = (Object.keys(kinds) as KindName[]).flatMap((kind) =>
  inquiries.map((inquiry) => [kind, inquiry] as const),
);
const oneOfEach = byReading.map(([first = '']) => first);
/**
 * The codes that are tried, and whether their counters are set high: by night one of each kind runs the full course.
 */
const triedCodes = (inquiry: Inquiry): readonly (readonly [code: string, countsUp: boolean])[] =>
  byNight({
    day: oneOfEach.map((code) => [code, true]),
    night: [
      ...(inquiry === 'listed' ? oneOfEach.map((code) => [code, false] as const) : []),
      ...all.map((code) => [code, true] as const),
    ],
  });

/** Thousands of messages in a night, on a busy machine. */
const WITHIN_MS = byNight({ day: 60_000, night: 600_000 });

test.each(cases)(
  'each code for ever, to a %s, and to its inquiry: %s',
  async (kind, inquiry) => {
    const rig = tillRig(chipCard);
    const { host, now } = endlessGateway(rig.host);
    now.inquiry = inquiry;
    const run = rig.open({ host });
    const wrong: string[] = [];
    for (const [code, countsUp] of triedCodes(inquiry)) {
      const { waits: waitingCount, left, ...was } = await play({ rig, run, now }, { kind, code, countsUp });
      const untruth = findUntruth({ kind, code, inquiry }, was);
      const isSame = !retries || was.isParked === was.isStillParked;
      if (waitingCount > 0 || left.some((count) => count > 0) || !isSame || untruth !== undefined)
        wrong.push(
          `${code} ${meaningOf(code)}: ${JSON.stringify({ ...was, waits: waitingCount, left, lie: untruth })}`,
        );
    }
    run.close();
    rig.remove();
    expect(wrong).toEqual([]);
  },
  WITHIN_MS,
);
