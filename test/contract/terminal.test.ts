/** All card reader drivers keep one contract: cards, customers, health and strangers, and how much of it is tried. */
import { expect, test } from 'vitest';
import { linksByDriver, testDriversOn } from './terminal-contract.ts';
import { byDay, chooseSteps, linksAt, stepsAt } from './terminal-steps.ts';
import { topics } from './terminal-topics.ts';

testDriversOn('cards', 'customers', 'health', 'strangers');

test('there are drivers to try, and no case is listed twice', () => {
  expect(linksByDriver.flat().map(({ name }) => name)).toContain('mpi stream');
  const says = Object.values(topics).flatMap((cases) => cases.map((one) => one.says));
  expect(new Set(says).size).toBe(says.length);
});

test('by day every driver meets every case, every link and, over a part with sweeps, every step', () => {
  const steps = Array.from({ length: 24 }, (_, index) => index + 1);
  for (const [driverAt, links] of linksByDriver.entries()) {
    const linksMet = new Set<string>();
    const stepsMet = new Set<number>();
    for (const caseAt of topics.trouble.keys()) {
      const triedLinks = linksAt(links, { caseAt, driverAt }, byDay);
      expect(triedLinks).toHaveLength(1);
      for (const { name } of triedLinks) linksMet.add(name);
      for (const step of chooseSteps(steps, stepsAt({ caseAt, driverAt }, byDay))) stepsMet.add(step);
    }
    expect(linksMet.size).toBe(links.length);
    expect(stepsMet.size).toBe(steps.length);
  }
});
