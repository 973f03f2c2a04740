/** Questions and answers in general: a protocol of one-line texts, whose answers may or may not name their question. */
import { expect, test } from 'vitest';
import { join, type Protocol, ProtocolSession, type Question } from '../../drivers/session.ts';
import { Fault } from '../../src/base/fault.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

/**
 * Messages end with a semicolon; `*x` is a notice, `!x` matches nothing, `?` is noise. The newest question is answered
 * first.
 */
const lines = (): Protocol<string> => {
  let buffered = '';
  const cut = (text: string) => {
    const parts = (buffered + text).split(';');
    buffered = parts.pop() ?? '';
    return parts.map((part) =>
      part === '?'
        ? { kind: 'noise' as const, bytes: Buffer.from(part), why: 'it is a question mark' }
        : { kind: 'message' as const, message: part },
    );
  };
  return {
    push: (bytes) => cut(Buffer.from(bytes).toString()),
    size: () => buffered.length,
    skip: () => cut('?;'),
    assign: (message, open) =>
      message.startsWith('*') ? 'notice' : message.startsWith('!') ? 'stray' : (open.at(-1) ?? 'stray'),
    noiseMax: 3,
    partMs: 500,
    sizeOf: ({ length }) => length,
  };
};

const bench = () => {
  const clock = virtualClock();
  const [till, device] = memoryLinks();
  const received: string[] = [];
  const notices: string[] = [];
  const unsolicited: string[] = [];
  const ends: string[] = [];
  device.listen({ bytes: (bytes) => received.push(Buffer.from(bytes).toString()), closed: () => ends.push('device') });
  const events = {
    notice(message: string) {
      notices.push(message);
      return message === '*odd' ? new Fault('terminal.stray', { bytes: message.length }) : undefined;
    },
    report: (stray: Fault) =>
      unsolicited.push(stray.code === 'terminal.strays' ? `${stray.facts['count']} more` : stray.code),
    ended: (fault: Fault) => ends.push(fault.code),
  };
  const session = new ProtocolSession({ link: till, clock, protocol: lines(), events });
  const sendFromDevice = (text: string) => device.write(Buffer.from(text));
  return { clock, device, session, says: sendFromDevice, received, notices, unsolicited, ends };
};

const question = (name: string, withinMs = 1_000): Question => ({ name, bytes: Buffer.from(`${name};`), withinMs });

test('a question that may stay unanswered ends by itself, and the session continues with the next one', async () => {
  const { session, says: sendFromDevice, received, clock, unsolicited, ends } = bench();
  const silent = session.mayAsk(question('a', 300));
  const next = session.ask(question('b'));
  await clock.advance(299);
  expect(received).toEqual(['a;']);
  await clock.advance(1);
  expect(await silent).toBeUndefined();
  await clock.settle();
  expect(received).toEqual(['a;', 'b;']);
  await sendFromDevice('yes;');
  expect(await next).toBe('yes');
  expect([unsolicited, ends, clock.waiting()]).toEqual([[], [], 0]);
});

test('a question that may stay unanswered still returns its answer, and ends with the session', async () => {
  const { session, says: sendFromDevice, clock, ends } = bench();
  const response = session.mayAsk(question('a', 300));
  await sendFromDevice('here;');
  expect(await response).toBe('here');
  await clock.advance(1_000);
  expect(ends).toEqual([]);
  const cut = session.mayAsk(question('b', 300)).catch((fault: Fault) => fault.code);
  await session.close();
  expect([await cut, clock.waiting()]).toEqual(['link.lost', 0]);
});

test('one question at a time, in order', async () => {
  const { session, says: sendFromDevice, received, clock } = bench();
  const all = Promise.all(['a', 'b', 'c'].map((name) => session.ask(question(name))));
  await clock.settle();
  expect(received).toEqual(['a;']);
  await sendFromDevice('1;');
  await clock.settle();
  expect(received).toEqual(['a;', 'b;']);
  await sendFromDevice('2;');
  await clock.settle();
  await sendFromDevice('3;');
  expect(await all).toEqual(['1', '2', '3']);
  expect(clock.waiting()).toBe(0);
});

test('an answer that is unread because the machine stood still is not silence', async () => {
  const { session, says: sendFromDevice, clock, ends } = bench();
  const answer = session.ask(question('a'));
  await clock.settle();
  clock.lag(3_000);
  await clock.advance(0);
  await sendFromDevice('1;');
  expect(await answer).toBe('1');
  expect(ends).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

test('the deadline starts when the question is written, not when it is queued', async () => {
  const { session, says: sendFromDevice, clock } = bench();
  const first = session.ask(question('a'));
  const second = session.ask(question('b'));
  await clock.advance(900);
  await sendFromDevice('1;');
  await first;
  await clock.advance(900);
  await sendFromDevice('2;');
  expect(await second).toBe('2');
});

test('an overtaking question is answered first, and the overtaken one then has little time', async () => {
  const { session, says: sendFromDevice, clock } = bench();
  const running = session.ask(question('long', 60_000)).catch((fault: Fault) => fault.facts);
  const abort = session.overtake(question('abort'), 200);
  await clock.settle();
  await sendFromDevice('ok;');
  expect(await abort).toBe('ok');
  await clock.settle();
  expect(await clock.until(running)).toEqual({ command: 'long', ms: 200 });
  expect(clock.monotonic()).toBe(200);
});

test('after a missed deadline nothing is asked, and late answers are ignored', async () => {
  const { session, says: sendFromDevice, clock, ends, notices, unsolicited } = bench();
  const first = session.ask(question('sell')).catch((fault: Fault) => fault.code);
  const second = session.ask(question('sell')).catch((fault: Fault) => fault.code);
  await clock.advance(1_000);
  await sendFromDevice('approved;').catch(() => {});
  await clock.settle();
  expect(await Promise.all([first, second])).toEqual(['terminal.silent', 'terminal.silent']);
  expect(session.endFault()).toMatchObject({ code: 'terminal.silent' });
  expect([ends, notices, unsolicited]).toEqual([['terminal.silent', 'device'], [], []]);
  expect(clock.waiting()).toBe(0);
});

test('reports a message that nobody waits for', async () => {
  const { session, says: sendFromDevice, clock, unsolicited, notices } = bench();
  await sendFromDevice('late;*card;');
  await clock.settle();
  expect([unsolicited, notices, session.endFault()]).toEqual([['terminal.stray'], ['*card'], undefined]);
});

test('noise is ignored before the first answer and fatal after it', async () => {
  const { session, says: sendFromDevice, clock, unsolicited } = bench();
  await sendFromDevice('?;?;');
  const first = session.ask(question('a'));
  await clock.settle();
  await sendFromDevice('?;1;');
  expect(await first).toBe('1');
  expect(unsolicited).toEqual(['terminal.garbled', 'terminal.garbled', 'terminal.garbled']);
  await sendFromDevice('?;');
  await clock.settle();
  expect(session.endFault()).toMatchObject({ code: 'terminal.garbled', facts: { bytes: 4 } });
});

test('too much noise before the first answer is fatal', async () => {
  const { session, says: sendFromDevice, clock } = bench();
  await sendFromDevice('?;?;?;?;');
  await clock.settle();
  expect(session.endFault()).toMatchObject({ code: 'terminal.garbled' });
});

test('an incomplete message is noise after its time', async () => {
  const { session, says: sendFromDevice, clock, unsolicited } = bench();
  await sendFromDevice('half');
  await clock.advance(499);
  expect(unsolicited).toEqual([]);
  await clock.advance(1);
  expect(unsolicited.length).toBeGreaterThan(0);
  expect(session.endFault()).toBeUndefined();
});

test('refuses more questions in line than allowed', async () => {
  const { session, clock, device } = bench();
  const all = Array.from({ length: 20 }, () => session.ask(question('a')).catch((fault: Fault) => fault.code));
  await clock.settle();
  await device.close();
  expect(new Set(await Promise.all(all))).toEqual(new Set(['terminal.busy', 'link.lost']));
});

const tenStrays = Array<string>(10).fill('terminal.stray');

test.each([
  ['strays', '!late;', 5, [...tenStrays, '990 more']],
  ['notices', '*card;', 5, []],
  ['strange notices', '*odd;', 4, [...tenStrays, '990 more']],
])('a device that sends only %s ends the session, whatever it sends later', async (_, message, size, reports) => {
  const { session, says: sendFromDevice, clock, unsolicited, notices, ends } = bench();
  const request = session.ask(question('sell')).catch((fault: Fault) => fault);
  await clock.settle();
  await sendFromDevice(message.repeat(1_000));
  await clock.settle();
  expect([session.endFault(), unsolicited.length]).toEqual([undefined, Math.min(reports.length, 10)]);
  await sendFromDevice(message.repeat(5_000)).catch(() => {});
  await clock.settle();
  expect(await request).toMatchObject({ code: 'terminal.garbled', facts: { bytes: 1_001 * size } });
  expect(unsolicited).toEqual(reports);
  expect(notices.length).toBeLessThanOrEqual(1_000);
  expect(ends).toEqual(['terminal.garbled', 'device']);
  expect(clock.waiting()).toBe(0);
});

test('unsolicited messages are counted anew after each answer, and the remaining count is reported', async () => {
  const { session, says: sendFromDevice, clock, unsolicited } = bench();
  for (let requestCount = 0; requestCount < 3; requestCount++) {
    const answer = session.ask(question('a'));
    await clock.settle();
    await sendFromDevice(`${'!late;'.repeat(999)}1;`);
    expect(await answer).toBe('1');
  }
  expect(session.endFault()).toBeUndefined();
  expect(unsolicited).toEqual([...tenStrays, '989 more', ...tenStrays, '989 more', ...tenStrays, '989 more']);
});

test('an overtaking question does not extend the limit', async () => {
  const { session, says: sendFromDevice, clock } = bench();
  const running = session.ask(question('long', 60_000)).catch((fault: Fault) => fault.code);
  await clock.settle();
  await sendFromDevice('*card;'.repeat(600));
  const abort = session.overtake(question('abort'), 200).catch((fault: Fault) => fault.code);
  await clock.settle();
  await sendFromDevice('*card;'.repeat(600)).catch(() => {});
  expect(await Promise.all([running, abort])).toEqual(['terminal.garbled', 'terminal.garbled']);
});

test('between questions a device may send all day, but not a thousand messages a minute', async () => {
  const { session, says: sendFromDevice, clock } = bench();
  for (let minute = 0; minute < 5; minute++) {
    await sendFromDevice('*card;'.repeat(900));
    await clock.advance(60_000);
  }
  expect(session.endFault()).toBeUndefined();
  await sendFromDevice('*card;'.repeat(1_001)).catch(() => {});
  await clock.settle();
  expect(session.endFault()).toMatchObject({ code: 'terminal.garbled' });
});

test('calls made while one is running get its answer; later ones run again', async () => {
  let runs = 0;
  let ending = Promise.withResolvers<number>();
  const call = join(() => {
    runs += 1;
    return ending.promise;
  });
  const both = [call(), call()];
  ending.resolve(7);
  expect(await Promise.all(both)).toEqual([7, 7]);
  expect(runs).toBe(1);
  const silent = new Fault('terminal.silent', { command: 'read', ms: 1 });
  ending = Promise.withResolvers<number>();
  const failing = call();
  ending.reject(silent);
  await expect(failing).rejects.toBe(silent);
  ending = Promise.withResolvers<number>();
  ending.resolve(8);
  expect(await call()).toBe(8);
  expect(runs).toBe(3);
});
