/**
 * A storm over one till's API: sales, follow-ups, repeats, cancels and closes at three counters at once, while the
 * gateway loses and doubles answers and the process is killed at any durable step. One seed is one storm.
 */
import { rmSync } from 'node:fs';
import type { Problem } from '../../src/api/contract/problem.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import type { Amount } from '../../src/api/contract/wire.ts';
import { operations } from '../../src/till/machine/operations.ts';
import type { Sale } from '../../src/till/machine/sale.ts';
import { checkStorm } from './storm-check.ts';
import { type Answer, newWorld, openRun, type StormRun, type World } from './storm-run.ts';

/** One person's request, under its key; it is repeated whenever no answer came. */
export type ApiRequest = { key: string; path: string; body: unknown; sale?: string };

export type Storm = {
  world: World;
  run: StormRun;
  repeatableRequests: ApiRequest[];
  /** By sale: the last final result that the till showed. */
  replies: Map<string, string>;
  receipts: number[];
  /** How often each result occurred: a storm in which nothing happens proves nothing. */
  counts: Map<string, number>;
  problems: string[];
  kills: number;
};

const STEPS = 60;
const eur = (minor: number) => ({ amount: (minor / 100).toFixed(2), currency: 'EUR' });

/** `sendsTwice`: plants a bug that charges twice. */
export const playStorm = async (seed: number, { sendsTwice = false } = {}): Promise<Storm> => {
  const world = { ...newWorld(seed), sendsTwice };
  const storm: Storm = {
    ...{ world, run: await openRun(world), repeatableRequests: [], replies: new Map(), receipts: [] },
    ...{ counts: new Map(), problems: [], kills: 0 },
  };
  try {
    for (let step = 0; step < STEPS && storm.problems.length === 0; step++) {
      await playStep(storm);
      if (storm.run.isDead()) await restartDead(storm);
      checkStorm(storm);
    }
    await settleStorm(storm);
    checkStorm(storm, true);
    await storm.run.close();
  } finally {
    rmSync(world.folder, { recursive: true, force: true });
  }
  return storm;
};

const restartDead = async (storm: Storm): Promise<void> => {
  storm.kills += 1;
  storm.world.killAfterWrites = undefined;
  await storm.run.kill();
  storm.run = await openRun(storm.world);
};

/** The line is back, nobody is killed, and each request without an answer is repeated once more. */
const settleStorm = async (storm: Storm): Promise<void> => {
  const { world } = storm;
  world.condition = 'fair';
  world.killAfterWrites = undefined;
  await world.clock.advance(120_000);
  for (const request of storm.repeatableRequests) if (request.sale === undefined) await sendRequest(storm, request);
  for (let n = 0; n < 12; n++) {
    await world.clock.until(storm.run.request('POST', 'open-items/send', {}));
    await world.clock.advance(600_000);
  }
};

const count = ({ counts }: Storm, countName: string): void =>
  void counts.set(countName, (counts.get(countName) ?? 0) + 1);

const playStep = async (storm: Storm): Promise<void> => {
  const { world, run } = storm;
  const { chance, clock } = world;
  const actions: readonly [() => Promise<unknown>, ...(() => Promise<unknown>)[]] = [
    () => requestFromTabs(storm, saleRequest(storm)),
    () => requestFromTabs(storm, saleRequest(storm)),
    () => requestFromTabs(storm, saleRequest(storm)),
    () => requestFromTabs(storm, follow(storm)),
    () => requestFromTabs(storm, follow(storm)),
    () => repeatRequest(storm),
    () => otherBody(storm),
    () => cancel(storm),
    () => close(storm),
    async () => {
      world.condition = chance.one(['fair', 'fair', 'rough', 'rough', 'rough', 'down']);
    },
    async () => {
      world.killAfterWrites = chance.between(0, 12);
    },
    () => run.request('POST', 'open-items/send', {}),
  ];
  await clock.until(Promise.resolve(chance.one(actions)()));
  if (chance.percent(60)) await clock.advance(chance.one([50, 500, 3_000, 20_000, 90_000]));
};

const saleRequest = ({ world: { chance }, receipts }: Storm): Omit<ApiRequest, 'key'> => {
  const minor = chance.one([700, 1_250, 1_913, 2_000, 3_550, 9_900]);
  const kind = chance.between(-1, 9);
  const counter = chance.one(['T1', 'T2', 'T3']);
  const bill = chance.one([0, ...receipts.slice(-6)]);
  return {
    path: 'sales',
    body: {
      operation: kind <= 0 ? 'preauthorisation' : 'sale',
      ...{ amount: eur(minor), counter },
      tip: kind === 1 ? eur(150) : undefined,
      partial: kind === 2 || undefined,
      billTotal: kind === 3 ? eur(minor * 2) : undefined,
      bill: (kind === 4 || kind === 5) && bill > 0 ? bill : undefined,
    },
  };
};

const follow = ({ world: { chance }, run, receipts }: Storm): Omit<ApiRequest, 'key'> => {
  const approved = [...run.instance.running.ledger.all()].filter(
    (playStep) => playStep.at === 'ended' && playStep.ending === 'approved',
  );
  const receipt = chance.one([1, ...receipts.slice(-3), ...approved.slice(-12).map(({ intent }) => intent.receipt)]);
  const operation = chance.one(['refund', 'refund', 'refund', 'void', 'completion', 'increment', 'release']);
  const part = operation === 'increment' || (operation === 'refund' && chance.percent(60));
  return { path: `sales/${receipt}/${operation}`, body: part ? { amount: eur(chance.one([400, 700])) } : {} };
};

/** Sends a request, sometimes from two tabs at once. */
const requestFromTabs = async (storm: Storm, countName: Omit<ApiRequest, 'key'>): Promise<void> => {
  const { chance } = storm.world;
  const request: ApiRequest = {
    ...countName,
    key: `key-${storm.repeatableRequests.length + 1}-${chance.between(0, 1_000)}`,
  };
  storm.repeatableRequests.push(request);
  const tabCount = chance.percent(20) ? 2 : 1;
  await Promise.all(Array.from({ length: tabCount }, () => sendRequest(storm, request)));
};

/** Repeats a request: a client without an answer asks again, and so does an old page that has one. */
const repeatRequest = async (storm: Storm): Promise<void> => {
  const request = storm.world.chance.one([undefined, ...storm.repeatableRequests.slice(-10)]);
  if (request !== undefined) await sendRequest(storm, request);
};

const otherBody = async ({ world: { chance }, run, repeatableRequests, problems }: Storm): Promise<void> => {
  const request = chance.one([undefined, ...repeatableRequests.filter(({ sale }) => sale !== undefined).slice(-10)]);
  if (request === undefined) return;
  const body = { ...(request.body as object), amount: eur(4_711) };
  const answer = await run.request('POST', request.path, body, request.key);
  if (answer !== undefined && answer.status !== 409)
    problems.push(`another body under ${request.key} was answered by ${answer.status}`);
};

const sendRequest = async (storm: Storm, request: ApiRequest): Promise<void> => {
  const { run, world, problems } = storm;
  const unknownReceipts = unknownLike(storm, request);
  const answer = await world.clock.until(run.request('POST', request.path, request.body, request.key));
  // The answer can be lost too: the till has started the sale, but the client does not know.
  if (answer === undefined || (world.condition !== 'fair' && world.chance.percent(25))) return;
  if (answer.status !== 201) return checkRefusal(storm, request, answer);
  if (request.sale === undefined) checkRepeatList(storm, answer.body as LiveSale, unknownReceipts);
  const { id, receipt, operation } = answer.body as LiveSale;
  if (request.sale !== undefined && request.sale !== id)
    problems.push(`${request.key} began ${request.sale} and ${id}`);
  if (request.sale === undefined) storm.receipts.push(receipt);
  count(storm, `begun ${operation}`);
  request.sale = id;
};

/** Receipts of unresolved sales that would charge the same as this request. */
const unknownLike = ({ run }: Storm, { path, body }: ApiRequest): number[] => {
  const { amount, tip } = body as { amount?: Amount; tip?: Amount };
  if (path !== 'sales' || amount === undefined) return [];
  const minor = BigInt(amount.amount.replace('.', '')) + BigInt((tip?.amount ?? '0').replace('.', ''));
  return [...run.instance.running.ledger.all()]
    .filter((sale) => isUnknown(sale) && sale.intent.amount.minor === minor)
    .filter(({ intent }) => ['DB', 'PA', 'CP'].includes(operations[intent.operation].paymentType))
    .map(({ intent }) => intent.receipt);
};

/** Sales that were unknown before this sale and still are must have caused a question to the cashier. */
const checkRepeatList = (storm: Storm, { receipt }: LiveSale, unknownReceipts: readonly number[]): void => {
  const { till } = storm.run.instance.running;
  const { again: repeatOf = [] } = till.find(receipt).intent;
  const unlistedReceipts = unknownReceipts.filter(
    (playStep) => playStep < receipt && !repeatOf.includes(playStep) && isUnknown(till.find(playStep)),
  );
  if (unlistedReceipts.length > 0)
    storm.problems.push(`receipt ${receipt} started without a question about ${unlistedReceipts.join(', ')}`);
};

const isUnknown = (sale: Sale): boolean => sale.at === 'ended' && sale.ending === 'unknown';

const checkRefusal = async (storm: Storm, request: ApiRequest, { status, body }: Answer): Promise<void> => {
  const { problem } = body as { problem?: Problem };
  count(storm, `refused ${problem?.code ?? status}`);
  if (request.sale !== undefined)
    storm.problems.push(`${request.key} began ${request.sale}, and then ${problem?.code}`);
  if (problem === undefined || problem.code === 'program.failed')
    storm.problems.push(`${request.path} was answered by ${status} ${problem?.says}`);
  if (problem?.code !== 'sale.likely' || storm.world.chance.percent(40)) return;
  // The cashier says that it is another customer: the confirmation is sent under the same key.
  request.body = { ...(request.body as object), again: problem.sales?.map(({ receipt }) => receipt) };
  await sendRequest(storm, request);
};

const cancel = async (storm: Storm): Promise<void> => {
  const live = (await storm.run.request('GET', 'live'))?.body as LiveSale[] | undefined;
  const sale = storm.world.chance.one([undefined, ...(live ?? [])]);
  if (sale !== undefined) await storm.run.request('POST', `live/${sale.id}/cancel`, {});
};

const close = async (storm: Storm): Promise<void> => {
  const answer = await storm.run.request('POST', 'closing', {});
  count(storm, `close ${answer?.status ?? 'cut'}`);
};
