/** Which steps of a sweep are tried, and on which of a driver's links: all of them by night. */
import { byNight } from '../support/night/night.ts';

/** One step in `every`, starting at `from`, modulo `every`. */
export type Steps = { every: number; from: number };

export const everyStep: Steps = { every: 1, from: 0 };

/** The steps that are tried. */
export const chooseSteps = <T>(all: readonly T[], { every, from }: Steps): T[] =>
  all.filter((_, index) => index % every === from % every);

type Width = { every: number; links: 'all' | 'inTurn' };

/**
 * By day a case tries each driver on one of its links, in turn, and at every fifth step of a sweep. The first step
 * differs between cases and drivers: each fault is tried all along the sale, and together the faults meet every step of
 * every driver.
 */
export const byDay: Width = { every: 5, links: 'inTurn' };

export const width: Width = byNight({ day: byDay, night: { every: 1, links: 'all' } });

type Place = { caseAt: number; driverAt: number };

/** The steps that this case tries with this driver. */
export const stepsAt = ({ caseAt, driverAt }: Place, { every } = width): Steps => ({
  every,
  from: caseAt + 2 * driverAt,
});

/** The links of the driver that this case tries. */
export const linksAt = <T>(links: readonly T[], { caseAt, driverAt }: Place, { links: linkSteps } = width): T[] =>
  linkSteps === 'all' ? [...links] : chooseSteps(links, { every: links.length, from: caseAt + driverAt });
