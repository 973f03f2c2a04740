/** Live tills at a channel that changes mode at random: the money they count is what live answers moved. */
import { expect, test } from 'vitest';
import type { Mode } from '../../src/base/mode.ts';
import { add, type Money } from '../../src/base/money.ts';
import { audit } from '../../src/recovery/audit.ts';
import type { FollowUp } from '../../src/till/follow-ups.ts';
import { modeOfCode } from '../../src/till/gateway/mode.ts';
import type { Host } from '../../src/till/ports.ts';
import type { Running } from '../../src/till/running.ts';
import { type Dice, dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import type { Fate } from '../support/till/bookkeeping-host.ts';
import { chipCard, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const RUNS = byNight({ day: 6, night: 200 });
const STEPS = 14;

const fates = ['answered', 'answered', 'notReached', 'requestLost', 'answerLost', 'answerLate', 'doubled'] as const;

const signs: Readonly<Record<string, bigint>> = { DB: 1n, CP: 1n, RF: -1n, RV: -1n };

/** Minor units that live answers moved; holds move none. */
const movedLive = ({ host }: Rig): bigint => {
  const held = new Set(host.books.filter(({ paymentType }) => paymentType === 'PA').map(({ id }) => id));
  return host.books
    .filter(({ code }) => modeOfCode(code) === 'live')
    .filter(({ paymentType, of }) => !(paymentType === 'RV' && of !== undefined && held.has(of)))
    .reduce((sum, { paymentType, amount }) => sum + (signs[paymentType] ?? 0n) * BigInt(amount.replace('.', '')), 0n);
};

const noop = () => {};

/** Begins one random operation at the counter, if possible. */
const begin = (run: TillRun, { one, between, percent }: Dice): Running | undefined => {
  if (percent(60)) return run.sell(BigInt(between(100, 3_000)));
  if (percent(30)) return run.till.preauthorise({ amount: eur(BigInt(between(1_000, 3_000))) }, noop);
  const receipts = [...run.ledger.all()].map(({ intent }) => intent.receipt);
  const receipt = one([receipts[0] ?? 0, ...receipts]);
  const possible = receipt === 0 ? [] : run.till.mayFollow(receipt);
  const operation: FollowUp | undefined = possible[between(0, Math.max(0, possible.length - 1))]?.operation;
  if (operation === undefined) return undefined;
  return run.till.follow({ receipt, operation, amount: operation === 'increment' ? eur(100n) : undefined }, noop);
};

const counted = async (run: TillRun) => {
  const differences: string[] = [];
  let sum: Money = eur(0n);
  for await (const { sale, till, agrees, why } of audit(run.ledger, run.parts.host)) {
    sum = add(sum, till);
    if (!agrees) differences.push(`${sale.intent.receipt} ${sale.intent.operation}: ${why}`);
  }
  return { sum: sum.minor, differences };
};

type Played = { open: unknown[]; differences: string[]; counted: bigint; moved: bigint };

/** At the end everything is settled: the channel is live, and approves. `wrapHost`: the gateway as the till sees it. */
const play = async (run: number, wrapHost: (host: Host) => Host = (host) => host): Promise<Played> => {
  const chance = dice(run + 1);
  const rig = tillRig(chipCard, 'live');
  const open = () =>
    rig.open({
      host: wrapHost(rig.host),
      behaviour: { complete: () => (chance.percent(80) ? 'approved' : 'declined') },
    });
  let tillRun = open();
  try {
    for (let step = 0; step < STEPS; step++) {
      rig.channel.mode = chance.one(['live', 'live', 'test']);
      rig.channel.approves = chance.percent(85);
      for (let n = chance.between(0, 3); n > 0; n--) rig.fates.push(chance.one<Fate>(fates));
      const running = begin(tillRun, chance);
      if (running !== undefined) await rig.clock.until(running.done);
      if (chance.percent(50)) await tillRun.passTime(1, chance.between(1_000, 60_000));
      if (chance.percent(10)) {
        tillRun.close();
        tillRun = open();
        tillRun.till.recover();
      }
    }
    rig.fates.length = 0;
    Object.assign(rig.channel, { mode: 'live', approves: true });
    await tillRun.passTime(2);
    // A live approval resumes what test answers parked; that can release what waited behind it.
    for (let turn = 0; turn < 3; turn++) {
      await rig.clock.until(tillRun.sell(100n).done);
      await tillRun.passTime(3);
    }
    const { sum, differences } = await rig.clock.until(counted(tillRun));
    const waiting = [...tillRun.outbox.waiting(), ...tillRun.outbox.parked()].map(
      ({ kind, note }) => `${kind} ${note}`,
    );
    return { open: [...waiting, ...tillRun.ledger.openSales()], differences, counted: sum, moved: movedLive(rig) };
  } finally {
    tillRun.close();
    rig.remove();
  }
};

test.each(Array.from({ length: RUNS }, (_, run) => run))('run %i', async (run) => {
  const { open, differences, counted: sum, moved } = await play(run);
  expect([open, differences, sum]).toEqual([[], [], moved]);
});

/** A till that cannot tell the modes apart: it takes each test answer for a live one. */
const withoutAnswers = (host: Host): Host => ({
  ...host,
  async pay(parameters, key) {
    const reply = await host.pay(parameters, key);
    return reply.kind === 'answered' && modeOfCode(reply.code) === 'test' ? { ...reply, code: '000.000.000' } : reply;
  },
});

test('detects a till that counts a test answer as an approval', async () => {
  const played = await play(0, withoutAnswers);
  expect(played.counted).toBeGreaterThan(played.moved);
});

test.each(Array.from({ length: RUNS }, (_, run) => run))('a test till at such a channel, run %i', async (run) => {
  const chance = dice(1_000 + run);
  const rig = tillRig(chipCard, 'test');
  const tillRun = rig.open({ behaviour: { complete: () => (chance.percent(80) ? 'approved' : 'declined') } });
  try {
    for (let step = 0; step < STEPS; step++) {
      rig.channel.mode = chance.one(['test', 'live']);
      for (let n = chance.between(0, 3); n > 0; n--) rig.fates.push(chance.one<Fate>(fates));
      await rig.clock.until(tillRun.sell(BigInt(chance.between(100, 3_000))).done);
      if (chance.percent(50)) await tillRun.passTime(1, chance.between(1_000, 60_000));
    }
    rig.fates.length = 0;
    // Test payments end at a test channel, and live ones at a live one, whichever comes first.
    for (const mode of chance.one<readonly Mode[]>([
      ['test', 'live'],
      ['live', 'test', 'live'],
    ])) {
      rig.channel.mode = mode;
      tillRun.outbox.unpark(rig.clock.now());
      await tillRun.passTime(4);
    }
    expect(rig.host.books.filter(({ code }) => modeOfCode(code) === 'live').length).toBeGreaterThan(0);
    expect([movedLive(rig), tillRun.ledger.openSales()]).toEqual([0n, []]);
  } finally {
    tillRun.close();
    rig.remove();
  }
});
