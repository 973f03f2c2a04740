/**
 * The clock of a simulated terminal on real links: its customer, chip and host take a twentieth of their time. Its
 * timeouts for the other end, of two seconds and more, are real, so that a busy machine interrupts nothing.
 */
import { type Clock, systemClock } from '../../../src/base/clock.ts';

const shorten = (ms: number): number => (ms < 2_000 ? ms / 20 : ms);

export const fastClock: Clock = { ...systemClock, after: (ms, task) => systemClock.after(shorten(ms), task) };
