/** The contract, third part: a device, a line or another program that does not follow the protocol. */
import assert from 'node:assert/strict';
import type { DeviceFault, Faults } from '../../drivers/simulation/faults.ts';
import { type Case, Counter, type DriverUnderTest, endOf, fromTerminal, type Setup, whatOf } from './terminal.ts';
import { chooseSteps, everyStep, type Steps } from './terminal-steps.ts';

/** Tries a whole sale, from the hello to the card's removal; returns the chip's decision, or the fault's code. */
const tryReading = async (counter: Counter): Promise<string> => {
  const sale = async (): Promise<string> => {
    const terminal = await counter.connect();
    const outcome = await counter.start();
    if (outcome.kind !== 'goOnline') return whatOf(outcome);
    const { kind } = await counter.complete({ kind: 'approved', arc: '00' });
    assert.notEqual(kind, 'declined', 'trouble is not a decline');
    await terminal.waitForRemoval(30_000);
    return kind;
  };
  const end = await endOf(counter.wait(sale()));
  return end.code ?? end.value;
};

/** An upper bound on the messages of a sale in any protocol here. Beyond the last one the fault has no effect. */
const stepsLeast = 24;
const stepsMost = 60;

type Sweep = {
  fault(step: number): DeviceFault;
  /** The allowed ends. `approved` is always allowed: the step came after the sale, or did no harm. */
  ends: readonly string[];
  /** An end that at least one step must have: a sweep that finds nothing has tested nothing. */
  finds?: string;
  /** Once the sale succeeds, the fault comes after it at every later step. */
  inOrder?: true;
  /** The device's message must be reported. */
  reported?: true;
  every?: number;
};

/** The same sale with the fault at each step in turn; after each the terminal sells again on a new connection. */
const sweep = async (
  subject: DriverUnderTest,
  { fault, ends, finds, inOrder, reported, every = 1, steps = everyStep }: Sweep & { steps?: Steps | undefined },
): Promise<string> => {
  const counts = new Map<string, number>();
  /** How many consecutive steps, tried or left out, succeeded. */
  let calm = 0;
  let strays = 0;
  const all = chooseSteps(
    Array.from({ length: stepsMost }, (_, index) => index + 1),
    { every, from: 0 },
  );
  for (const step of chooseSteps(all, steps)) {
    if (step >= stepsLeast && calm >= 4) break;
    const counter = new Counter(subject, { faults: [fault(step)], seed: step });
    const end = await tryReading(counter);
    assert(end === 'approved' || ends.includes(end), `step ${step}: ${end}`);
    assert(inOrder !== true || calm === 0 || end === 'approved', `step ${step}: ${end} behind an approval`);
    strays += counter.unsolicited.length;
    await counter.sellsAgain('anew');
    await counter.close();
    counts.set(end, (counts.get(end) ?? 0) + 1);
    calm = end === 'approved' ? calm + steps.every : 0;
  }
  if (finds !== undefined) assert(counts.has(finds), `none ended with ${finds}: ${[...counts.keys()].join()}`);
  if (reported === true) assert(strays > 0, 'nothing was reported');
  return [...counts].map(([end, times]) => `${end} ${times}`).join(', ');
};

const sweeps: readonly (readonly [says: string, sweep: Sweep])[] = [
  ['the link drops before a message', { ...drop('before'), finds: 'link.lost' }],
  ['the link drops within a message', { ...drop('midway'), finds: 'link.lost' }],
  ['the link drops after a message', { ...drop('after'), finds: 'link.lost' }],
  [
    'the device is silent',
    {
      fault: (atCommand) => ({ kind: 'silence', atCommand }),
      ends: ['terminal.silent', 'gone', 'timedOut', 'cardUnreadable', 'terminal.refused'],
      finds: 'terminal.silent',
    },
  ],
  [
    'a message has a wrong checksum',
    {
      fault: (atMessage) => ({ kind: 'wrongChecksum', atMessage }),
      inOrder: true,
      ends: ['terminal.garbled', 'terminal.silent', 'gone', 'timedOut', 'terminal.refused'],
      finds: 'terminal.garbled',
    },
  ],
  [
    'the device sends endless noise',
    {
      fault: (fromCommand) => ({ kind: 'garbage', fromCommand, everyMs: 100 }),
      inOrder: true,
      ends: ['terminal.garbled', 'terminal.silent', 'gone', 'timedOut'],
      finds: 'terminal.garbled',
      every: 2,
    },
  ],
  [
    'the device restarts',
    {
      fault: (atCommand) => ({ kind: 'reset', atCommand }),
      inOrder: true,
      ends: [...fromTerminal, 'terminal.unready', 'gone'],
      finds: 'link.lost',
    },
  ],
  [
    'a message comes twice',
    { fault: (atMessage) => ({ kind: 'duplicate', atMessage }), ends: [...fromTerminal, 'gone'] },
  ],
  [
    'a message waits for the next',
    { fault: (atMessage) => ({ kind: 'merge', atMessage }), ends: [...fromTerminal, 'gone'] },
  ],
];

function drop(when: 'before' | 'midway' | 'after'): Pick<Sweep, 'fault' | 'ends' | 'inOrder'> {
  return {
    inOrder: true,
    fault: (atMessage) => ({ kind: 'linkDrop', atMessage, when }),
    // If the link is lost while the chip receives the host's answer, the card is gone as well. Half a message can be
    // read as a whole one.
    ends: ['link.lost', 'gone', ...(when === 'midway' ? ['terminal.garbled'] : [])],
  };
}

const sweepCases: Case[] = sweeps.map(([text, options]) => ({
  says: `${text}, at every step`,
  run: (subject, steps) => sweep(subject, { ...options, steps }),
}));

const noise = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 37 + 11) & 0xff);

const harmless: readonly (readonly [says: string, faults: (subject: DriverUnderTest) => Faults])[] = [
  ['every message in single bytes', ({ carries }) => (carries === 'stream' ? [{ kind: 'split' }] : [])],
  [
    'left-over bytes at the open',
    ({ carries }) => [{ kind: 'staleBytes', bytes: noise(carries === 'stream' ? 37 : 64) }],
  ],
];

const survived: Case[] = [
  ...harmless.map(
    ([text, faults]): Case => ({
      says: `${text}: the sale goes through`,
      run: (subject) => assertCompletes(subject, { faults: faults(subject) }),
    }),
  ),
  ...(['unsolicited', 'unknownMessage'] as const).map(
    (kind): Case => ({
      says: `${kind}, before each answer in turn: the sale goes through`,
      run: (subject, steps) =>
        sweep(subject, {
          steps,
          fault: (atCommand) => ({ kind, atCommand }),
          ends: [],
          reported: kind === 'unknownMessage' || undefined,
        }),
    }),
  ),
  {
    says: 'the request for the host comes four times: it is asked once',
    run: (subject) => assertCompletes(subject, { faults: [{ kind: 'repeatedRequest', times: 3 }] }),
  },
];

const assertCompletes = async (subject: DriverUnderTest, setup: Setup): Promise<string> => {
  const counter = new Counter(subject, setup);
  assert.equal(await tryReading(counter), 'approved');
  await counter.sellsAgain('same');
  await counter.close();
  return 'approved';
};

const lateCase: Case = {
  says: 'a cancelled call ends late: never as an answer to the next question',
  async run(subject) {
    const ends = new Set<string>();
    for (const afterMs of [100, 900, 2_500, 9_000, 40_000]) {
      const counter = await new Counter(subject, { faults: [{ kind: 'lateAnswer', afterMs }] }).open();
      const reading = endOf(counter.start());
      await counter.clock.advance(700);
      const cancelled = endOf(counter.terminal.cancel());
      const end = await counter.wait(reading);
      const acknowledged = await counter.wait(cancelled);
      ends.add(end.code ?? whatOf(end.value));
      assert(end.code !== undefined || whatOf(end.value) === 'cancelledByTill');
      const faulty = end.code !== undefined || acknowledged.code !== undefined;
      await counter.sellsAgain(faulty ? 'anew' : 'same');
      await counter.close();
    }
    return [...ends].join(', ');
  },
};

const busy: Case = {
  says: 'a second call while one is running is refused as busy, and the first continues',
  async run(subject) {
    const counter = await new Counter(subject).open();
    const { terminal } = counter;
    const first = counter.start();
    await counter.clock.advance(100);
    for (const second of [
      () => counter.start(),
      () => terminal.health(),
      () => terminal.keys(),
      () => terminal.echo(),
    ]) {
      assert.equal((await counter.wait(endOf<unknown>(second()))).code, 'terminal.busy');
    }
    assert.equal(whatOf(await counter.wait(first)), 'goOnline');
    const { kind } = await counter.wait(counter.complete({ kind: 'approved' }));
    assert.equal(kind, 'approved');
    await counter.sellsAgain('same');
    await counter.close();
    return 'terminal.busy';
  },
};

const closed: Case = {
  says: 'closing midway ends the call with link.lost',
  async run(subject) {
    for (const ms of [0, 100, 900, 2_000]) {
      const counter = await new Counter(subject).open();
      const reading = endOf(counter.start());
      await counter.clock.advance(ms);
      await counter.terminal.close();
      const { code } = await counter.wait(reading);
      assert.equal(code, 'link.lost', `after ${ms} ms`);
      await counter.sellsAgain('anew');
      await counter.close();
    }
    return 'link.lost';
  },
};

export const troubleCases: readonly Case[] = [...sweepCases, ...survived, lateCase, busy, closed];
