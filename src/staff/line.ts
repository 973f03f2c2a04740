/**
 * The line of those who try a PIN while the pace holds them: one try at a time, and a turn whenever the pace has one.
 * Few in the line: whoever has not just been there has the turn, and of those who came last, so that a program that
 * stands in it again and again keeps nobody out. Many: chance says who, and a newcomer takes the place of any one of
 * them, so that no number of requests fills the line up.
 */
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';

export type WaitingLine = {
  /**
   * Resolves when it is this one's turn; then `leave` is called. Throws `staff.locked` where no turn comes within
   * `patienceMs`, and with what `gone` is aborted with.
   */
  enter(asking: { patienceMs: number; gone?: AbortSignal | undefined }): Promise<void>;
  leave(): void;
  /** Nobody gets a turn any more. */
  close(): void;
};

type Held = {
  go(): void;
  refuse(error: unknown): void;
  until: number;
  /** The first one in the line after a wrong PIN: as a rule whoever gave it. */
  isBack: boolean;
};

const PLACES = 16;
/** Up to so many it is not chance that says whose turn it is. */
const FEW = 2;

export type LineParts = {
  clock: Clock;
  random: Random;
  /** How long until the next try may be made, ms. */
  waitMs(): number;
};

const anyOf = (count: number, random: Random): number => Buffer.from(random(4)).readUInt32BE() % count;

const turnOf = (held: readonly Held[], random: Random): number =>
  held.length <= FEW ? held.findLastIndex(({ isBack }, at) => !isBack || at === 0) : anyOf(held.length, random);

/** Takes those out who would not wait until then. */
const takeLate = (held: Held[], then: number): Held[] => {
  const late = held.filter(({ until }) => until < then);
  for (const one of late) held.splice(held.indexOf(one), 1);
  return late;
};

export const openLine = ({ clock, random, waitMs }: LineParts): WaitingLine => {
  const held: Held[] = [];
  let isTaken = false;
  let isLeft = false;
  let stop = (): void => {};

  const take = (at: number): Held | undefined => held.splice(at, 1)[0];
  const locked = (): Fault => lockedFor(waitMs());

  const move = (): void => {
    stop();
    stop = () => {};
    if (isTaken) return;
    const ms = Math.ceil(waitMs());
    if (ms > 0) for (const one of takeLate(held, clock.monotonic() + ms)) one.refuse(locked());
    if (held.length === 0) return;
    if (ms > 0) {
      stop = clock.after(ms, move);
      return;
    }
    isTaken = true;
    take(turnOf(held, random))?.go();
  };

  const hold = (until: number, gone: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one: Held = { until, go: resolve, refuse: reject, isBack: isLeft };
    isLeft = false;
    const onGone = (): void => {
      take(held.indexOf(one));
      reject(gone?.reason);
      move();
    };
    gone?.addEventListener('abort', onGone);
    if (held.length === PLACES) take(anyOf(PLACES, random))?.refuse(locked());
    held.push(one);
    move();
    return promise.finally(() => gone?.removeEventListener('abort', onGone));
  };

  return {
    async enter({ patienceMs, gone }) {
      gone?.throwIfAborted();
      if (isTaken || held.length > 0 || waitMs() > 0) return hold(clock.monotonic() + Math.ceil(patienceMs), gone);
      isTaken = true;
    },
    leave() {
      isTaken = false;
      isLeft = waitMs() > 0;
      move();
    },
    close() {
      stop();
      isTaken = true;
      for (const one of held.splice(0)) one.refuse(locked());
    },
  };
};

const lockedFor = (ms: number): Fault => new Fault('staff.locked', { minutes: Math.max(1, Math.ceil(ms / 60_000)) });
