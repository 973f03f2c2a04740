/** A wire between a till and a device with one error, at one byte of one direction. */
import type { TraceDirection } from '../../../drivers/driver.ts';
import { type Link, reportBytes } from '../../../drivers/links/link.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { concat } from '../../../src/base/hex.ts';
import { memoryLinks } from './memory-link.ts';

/**
 * `cut`: the link is lost before the byte. `corrupt`: its bits are flipped. `drop`: it never arrives. `duplicate`: it
 * arrives twice. `delay` and `stall`: it and everything after it arrive later, by less and by more than a device may
 * take. `split`: what precedes it is separated from what follows. `merge`: it waits for the next chunk. On a wire of
 * reports, the whole report is affected.
 */
export const damages = ['cut', 'corrupt', 'drop', 'duplicate', 'delay', 'stall', 'split', 'merge'] as const;
export type DamageKind = (typeof damages)[number];
export type Damage = { kind: DamageKind; direction: TraceDirection; at: number };

/** These damages leave the conversation unchanged for a correct receiver. */
export const harmlessDamages: readonly DamageKind[] = ['delay', 'split', 'merge'];

const delayMs = 150;
const stallMs = 400_000;
const mergeMs = 150;

export type Wire = {
  till: Link;
  device: Link;
  /** The bytes sent each way, before the damage. */
  counts: Readonly<Record<TraceDirection, number>>;
  /** Drops what is still held back. */
  end(): void;
};

/** Both ends of a wire. Without damage everything passes as it comes. */
export const damagedWire = (carries: Link['carries'], clock: Clock, damage?: Damage): Wire => {
  const [till, atTill] = memoryLinks(carries);
  const [atDevice, device] = memoryLinks(carries);
  const counts = { said: 0, heard: 0 };
  const reportLoss = () => {
    void atTill.close();
    void atDevice.close();
  };
  const lanes = {
    said: lane({ carries, clock, to: atDevice, damage: damage?.direction === 'said' ? damage : undefined, reportLoss }),
    heard: lane({ carries, clock, to: atTill, damage: damage?.direction === 'heard' ? damage : undefined, reportLoss }),
  };
  const carry = (direction: TraceDirection, from: Link, target: Link) =>
    from.listen({
      bytes(bytes) {
        counts[direction] += bytes.length;
        lanes[direction].push(bytes);
      },
      closed: () => void target.close(),
    });
  carry('said', atTill, atDevice);
  carry('heard', atDevice, atTill);
  const end = () => {
    lanes.said.end();
    lanes.heard.end();
  };
  return { till, device, counts, end };
};

type LaneOptions = { carries: Link['carries']; clock: Clock; to: Link; damage?: Damage; reportLoss(): void };

/** One direction. Bytes that are held back keep their place before all later ones. */
const lane = ({ carries, clock, to, damage, reportLoss }: LaneOptions) => {
  let passed = 0;
  let buffer: Uint8Array | undefined;
  let isOver = false;
  let stopTimer = () => {};

  const write = (bytes: Uint8Array) => {
    if (bytes.length === 0 || isOver) return;
    const size = carries === 'reports' ? reportBytes : bytes.length;
    // A lost link reports its own end.
    for (let offset = 0; offset < bytes.length; offset += size)
      to.write(bytes.slice(offset, offset + size)).catch(() => {});
  };
  const forward = (bytes: Uint8Array) => {
    if (buffer === undefined) write(bytes);
    else buffer = concat(buffer, bytes);
  };
  const release = () => {
    stopTimer();
    const waiting = buffer ?? new Uint8Array(0);
    buffer = undefined;
    write(waiting);
  };
  const delay = (bytes: Uint8Array, ms: number) => {
    buffer = bytes;
    stopTimer = clock.after(ms, release);
  };

  /** The unit of the wire that contains byte `at` of this chunk: the byte, or its report. */
  const damageUnit = (bytes: Uint8Array, offset: number, kind: DamageKind) => {
    const start = carries === 'reports' ? offset - (offset % reportBytes) : offset;
    const end = carries === 'reports' ? start + reportBytes : offset + 1;
    const [head, unit, rest] = [bytes.slice(0, start), bytes.slice(start, end), bytes.slice(end)];
    forward(head);
    if (kind === 'cut') {
      isOver = true;
      return reportLoss();
    }
    if (kind === 'drop') return forward(rest);
    if (kind === 'duplicate') return forward(concat(unit, unit, rest));
    if (kind === 'split') return void queueMicrotask(() => forward(concat(unit, rest)));
    if (kind === 'corrupt') {
      unit[offset - start] = (unit[offset - start] ?? 0) ^ 0x55;
      return forward(concat(unit, rest));
    }
    const ms = { delay: delayMs, stall: stallMs, merge: mergeMs }[kind];
    delay(concat(unit, rest), ms);
  };

  return {
    push(bytes: Uint8Array) {
      const at = damage === undefined ? -1 : damage.at - passed;
      passed += bytes.length;
      if (isOver) return;
      if (damage !== undefined && at >= 0 && at < bytes.length) return damageUnit(bytes, at, damage.kind);
      forward(bytes);
      if (buffer !== undefined && damage?.kind === 'merge') release();
    },
    end() {
      isOver = true;
      stopTimer();
    },
  };
};
