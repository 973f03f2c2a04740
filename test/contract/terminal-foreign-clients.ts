/** The contract, fifth part: others on the line. A device that only sends, and a second program on the same device. */
import assert from 'node:assert/strict';
import type { Link, LinkListener } from '../../drivers/links/link.ts';
import type { Clock } from '../../src/base/clock.ts';
import { pause } from '../../src/base/clock.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';
import { type Case, Counter, type DriverUnderTest, endOf, whatOf } from './terminal.ts';

/** A link that can be taken over: the device's messages no longer arrive, and somebody else's do. */
const takeOver = () => {
  let hear: LinkListener | undefined;
  let writeCount = 0;
  const own = { silent: false, isEnded: false };
  return {
    own,
    writes: () => writeCount,
    say: (bytes: Uint8Array) => hear?.bytes(bytes),
    between: (link: Link): Link => ({
      name: link.name,
      carries: link.carries,
      async write(bytes) {
        writeCount += 1;
        await link.write(bytes);
      },
      listen(listener) {
        hear = listener;
        link.listen({
          bytes: (bytes) => (own.silent ? undefined : listener.bytes(bytes)),
          closed: (fault) => listener.closed(fault),
        });
      },
      async close() {
        own.isEnded = true;
        await link.close();
      },
    }),
  };
};

/** The bytes of a well-formed unsolicited message of this protocol's device. */
const harmlessMessage = async (subject: DriverUnderTest): Promise<Uint8Array> => {
  const received: Uint8Array[] = [];
  const recordListener = (link: Link): Link => ({
    name: link.name,
    carries: link.carries,
    write: (bytes) => link.write(bytes),
    listen: (listener) =>
      link.listen({
        bytes(bytes) {
          received.push(Uint8Array.from(bytes));
          listener.bytes(bytes);
        },
        closed: (fault) => listener.closed(fault),
      }),
    close: () => link.close(),
  });
  const counter = new Counter(subject, {
    faults: [
      { kind: 'unsolicited', atCommand: 1 },
      { kind: 'silence', atCommand: 1 },
    ],
    interpose: recordListener,
  });
  await counter.wait(endOf(counter.connect()));
  await counter.close();
  const [first] = received;
  assert(first !== undefined, 'the device sent nothing unsolicited');
  return first;
};

const keepTalking = async ({
  clock,
  say,
  until,
}: {
  clock: Clock;
  say: () => void;
  until: () => boolean;
}): Promise<void> => {
  for (let times = 0; times < 20_000 && !until(); times += 1) {
    say();
    await pause(clock, 50);
  }
};

const talkers: Case[] = [
  {
    says: 'a device that sends endlessly and never answers: the hello ends',
    async run(subject) {
      const message = await harmlessMessage(subject);
      const line = takeOver();
      line.own.silent = true;
      const counter = new Counter(subject, { interpose: line.between });
      const hello = endOf(counter.connect());
      const conversation = keepTalking({
        clock: counter.clock,
        say: () => line.say(message),
        until: () => line.own.isEnded,
      });
      const { code } = await counter.wait(hello);
      assert(code === 'terminal.silent' || code === 'terminal.garbled', `${code}`);
      await counter.wait(conversation);
      await counter.sellsAgain('anew');
      await counter.close();
      return code;
    },
  },
  {
    says: 'a device that begins to send endlessly while it reads: the read ends',
    async run(subject) {
      const message = await harmlessMessage(subject);
      const ends = new Set<string>();
      for (const ms of [50, 400, 1_200, 2_000]) {
        const line = takeOver();
        const counter = await new Counter(subject, { interpose: line.between }).open();
        const reading = endOf(counter.start());
        await counter.clock.advance(ms);
        line.own.silent = true;
        let isEnded = false;
        const conversation = keepTalking({ clock: counter.clock, say: () => line.say(message), until: () => isEnded });
        const end = await counter.wait(reading);
        isEnded = true;
        ends.add(end.code ?? whatOf(end.value));
        assert(end.code !== undefined || ['goOnline', 'timedOut'].includes(whatOf(end.value)), JSON.stringify(end));
        await counter.wait(conversation);
        await counter.sellsAgain('anew');
        await counter.close();
      }
      return [...ends].join(', ');
    },
  },
];

/** One device link shared by two programs: both receive everything, each writes when it likes. */
const shareLink = (link: Link): [Link, Link] => {
  const ends = [memoryLinks(link.carries), memoryLinks(link.carries)] as const;
  for (const [inner] of ends) {
    inner.listen({ bytes: (bytes) => void link.write(bytes).catch(() => undefined), closed: () => undefined });
  }
  link.listen({
    bytes(bytes) {
      for (const [inner] of ends) void inner.write(bytes).catch(() => undefined);
    },
    closed() {
      for (const [inner] of ends) void inner.close();
    },
  });
  return [ends[0][1], ends[1][1]];
};

const twoPrograms: Case = {
  says: 'another program says hello on the same device in the middle of a read',
  async run(subject) {
    const ends = new Set<string>();
    for (const ms of [0, 100, 600, 1_200, 2_000, 2_600]) {
      const others: Link[] = [];
      const interpose = (link: Link): Link => {
        const [ownEnd, otherEnd] = shareLink(link);
        others.push(otherEnd);
        return ownEnd;
      };
      const counter = await new Counter(subject, { interpose }).open();
      const reading = endOf(counter.start());
      await counter.clock.advance(ms);
      const [otherLink] = others;
      assert(otherLink !== undefined);
      const stranger = endOf(subject.driver.open(otherLink, { clock: counter.clock, report: () => undefined }));
      const end = await counter.wait(reading);
      const result = await counter.wait(stranger);
      ends.add(end.code ?? whatOf(end.value));
      // Another program can end the read, but never turn it into a sale that the chip has not approved.
      if (end.code === undefined && end.value.kind === 'goOnline') {
        const verdict = await counter.wait(endOf(counter.complete({ kind: 'approved' })));
        assert(verdict.code !== undefined || ['approved', 'gone', 'declined'].includes(verdict.value.kind));
      }
      if (result.code === undefined) await result.value.close();
      await counter.sellsAgain('anew');
      await counter.close();
    }
    return [...ends].join(', ');
  },
};

export const foreignClientCases: readonly Case[] = [...talkers, twoPrograms];
