/** What all readers share: one long call at a time, a cancel for any running call, a device that ends idle. */
import { describe, expect, test } from 'vitest';
import {
  type CardReading,
  openReader,
  outcomeOfStripe,
  type ReaderActions,
  takeEntered,
  type WaitingCard,
} from '../../drivers/reader-terminal.ts';
import type { CardData, ReadOutcome, ReadRequest, Terminal, TerminalEvent } from '../../drivers/terminal.ts';
import { Fault } from '../../src/base/fault.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

const silent = new Fault('terminal.silent', { command: 'read', ms: 1 });
const refused = new Fault('terminal.refused', { command: 'read', status: '6A', why: 'no' });
const amount = { minor: 100n, currency: 'EUR' };
const sale: ReadRequest = { amount, kind: 'purchase', at: 0, accept: ['chip', 'swipe'], withinMs: 1_000 };
const card: CardData = { entryMode: 'ICC', maskedPan: '', sred: [], verification: 'none' };
const online: ReadOutcome = { kind: 'goOnline', card };

const readingOf = (notify: CardReading['notify'], sent: string[]) => {
  let cancelled = false;
  return {
    notify,
    accept: new Set(sale.accept),
    isCancelled: () => cancelled,
    async stop(): Promise<void> {
      sent.push('stop reading');
      cancelled = true;
    },
  };
};

/** A reader whose calls end on demand, and the messages sent to its device. */
const bench = async (own: Partial<ReaderActions<CardReading>> = {}) => {
  const sent: string[] = [];
  const faults: Fault[] = [];
  let over: Fault | undefined;
  const sendText = (text: string) => async (): Promise<void> => {
    sent.push(text);
  };
  const device = {
    tools: { clock: virtualClock(), report: (fault: Fault) => faults.push(fault) },
    check() {
      if (over !== undefined) throw over;
    },
    close: sendText('close'),
  };
  const waiting: WaitingCard = {
    async complete() {
      sent.push('complete');
      return { kind: 'gone' };
    },
    drop: sendText('drop'),
  };
  const reader: ReaderActions<CardReading> = {
    info: { model: 'M', serial: '1', firmware: '1' },
    keys: async () => [],
    health: async () => ({ ok: true, problems: [] }),
    echo: sendText('echo'),
    show: sendText('say'),
    startReading: (_, notify) => readingOf(notify, sent),
    async read() {
      sent.push('read');
      return { outcome: online, waiting };
    },
    async waitForRemoval() {
      return true;
    },
    stop: sendText('stop'),
    quieten: sendText('calm'),
    ...own,
  };
  const terminal = await openReader(device, async () => reader);
  return { terminal, sent, faults, waiting, end: (fault: Fault) => (over = fault) };
};

const never = new Promise<never>(() => {});
const read = (terminal: Terminal) => terminal.read(sale, () => {});
const approved = { kind: 'approved' } as const;

describe('one call at a time', () => {
  test('while a call runs the terminal is busy, and idle again when the call has ended', async () => {
    const ending = Promise.withResolvers<{ outcome: ReadOutcome }>();
    const { terminal } = await bench({ read: () => ending.promise });
    const running = read(terminal);
    const busy = { code: 'terminal.busy', facts: { command: 'read' } };
    for (const call of [terminal.echo(), terminal.keys(), read(terminal), terminal.waitForRemoval(1)]) {
      await expect(call).rejects.toMatchObject(busy);
    }
    ending.resolve({ outcome: online });
    expect(await running).toEqual(online);
    await terminal.echo();
  });

  test('the fault that ended the session is thrown before anything begins', async () => {
    const { terminal, sent, end } = await bench();
    end(silent);
    await expect(read(terminal)).rejects.toBe(silent);
    expect(sent).toEqual([]);
  });

  test.each([
    ['a refusal stops the device', refused, ['calm']],
    ['nothing is sent to a silent device', silent, []],
  ])('%s', async (_, fault, expected) => {
    const { terminal, sent } = await bench({ read: () => Promise.reject(fault) });
    await expect(read(terminal)).rejects.toBe(fault);
    expect(sent).toEqual(expected);
    await terminal.echo();
  });

  test('a device that cannot be stopped is reported, and the refusal stays the reason', async () => {
    const { terminal, faults } = await bench({
      read: () => Promise.reject(refused),
      quieten: () => Promise.reject(silent),
    });
    await expect(read(terminal)).rejects.toBe(refused);
    expect(faults).toEqual([silent]);
  });
});

describe('a cancel', () => {
  test.each<[string, Partial<ReaderActions<CardReading>>, (terminal: Terminal) => unknown, string[]]>([
    ['of an idle terminal sends nothing', {}, () => {}, []],
    ['before the read has requested a card is noticed by it', { read: () => never }, read, ['stop reading']],
    ['of a removal sends nothing', { waitForRemoval: () => never }, (terminal) => terminal.waitForRemoval(1), []],
    [
      'of a wait for an insertion ends it',
      { watchInsertion: () => ({ waitWithin: () => never, stop: async () => {} }) },
      (terminal) => terminal.present?.(1, () => {}),
      [],
    ],
  ])('%s', async (_, own, begin, sent) => {
    const created = await bench(own);
    begin(created.terminal);
    await created.terminal.cancel();
    expect(created.sent).toEqual(sent);
  });

  test('gives up a card that waits for the host’s answer, once', async () => {
    const { terminal, sent } = await bench();
    await read(terminal);
    await terminal.cancel();
    await terminal.cancel();
    expect(sent).toEqual(['read', 'drop']);
    await expect(terminal.complete(approved)).rejects.toMatchObject({ code: 'terminal.refused' });
  });

  test('while the card receives the host’s answer is the device’s to decide', async () => {
    const { terminal, sent, waiting } = await bench();
    await read(terminal);
    waiting.complete = () => never;
    void terminal.complete(approved);
    await terminal.cancel();
    expect(sent).toEqual(['read', 'stop']);
  });
});

test('a new read gives up the previous card', async () => {
  const { terminal, sent } = await bench();
  await read(terminal);
  await read(terminal);
  expect(sent).toEqual(['read', 'drop', 'read']);
  expect(await terminal.complete(approved)).toEqual({ kind: 'gone' });
});

test('a card that takes no part does not receive the host’s answer', async () => {
  const { terminal } = await bench({ read: async () => ({ outcome: online }) });
  await read(terminal);
  expect(await terminal.complete(approved)).toEqual({ kind: 'none' });
  await expect(terminal.complete(approved)).rejects.toMatchObject({ code: 'terminal.refused' });
});

test('only a reader that reports insertions waits for one', async () => {
  const { terminal } = await bench();
  expect(terminal.present).toBeUndefined();
});

test('a device that fails at the hello is closed', async () => {
  const sent: string[] = [];
  const close = async (): Promise<void> => {
    sent.push('close');
  };
  const device = { tools: { clock: virtualClock(), report: () => {} }, check: () => {}, close };
  await expect(openReader(device, () => Promise.reject(refused))).rejects.toBe(refused);
  expect(sent).toEqual(['close']);
});

describe('a till that cancels when the card is reported', () => {
  const cancelsAt = (moment: TerminalEvent): CardReading => {
    const reading: CardReading = readingOf((event) => {
      if (event === moment) void reading.stop('cancelledByTill');
    }, []);
    return reading;
  };

  test('gets no stripe', async () => {
    const stripe = { maskedPan: '', serviceCode: '101', sred: [], chipFailed: false, pinKey: false };
    const takePin = () => Promise.reject(refused);
    const outcome = await outcomeOfStripe(cancelsAt('cardSwiped'), { ...stripe, takePin });
    expect(outcome).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  });

  test('leaves no PIN behind', () => {
    const pin = { data: Uint8Array.of(1, 2, 3), ksn: 'FF' };
    expect(takeEntered(cancelsAt('pinEntered'), pin)).toEqual({ why: 'cancelledByTill' });
    expect([...pin.data]).toEqual([0, 0, 0]);
  });
});
