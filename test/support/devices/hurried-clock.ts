/**
 * The clock of a simulated terminal on real links: its customer, chip and host take a twentieth of their time. What it
 * waits for the other end of the line, two seconds and more, is real: a busy machine breaks nothing off.
 */
import { type Clock, systemClock } from '../../../src/base/clock.ts';

const quicker = (ms: number): number => (ms < 2_000 ? ms / 20 : ms);

export const hurriedClock: Clock = { ...systemClock, after: (ms, then) => systemClock.after(quicker(ms), then) };
