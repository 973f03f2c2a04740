/** Which signals end what on each platform, and what a program does when it hears one. */
import { expect, test } from 'vitest';
import { serviceSignals, stopSignalsOf } from '../../src/cli/stop-signals.ts';

test.each([
  { platform: 'linux', stop: ['SIGINT', 'SIGTERM', 'SIGHUP'] },
  { platform: 'darwin', stop: ['SIGINT', 'SIGTERM', 'SIGHUP'] },
  { platform: 'win32', stop: ['SIGINT', 'SIGBREAK', 'SIGHUP'] },
] as const)('$platform ends what a person started by $stop', ({ platform, stop }) => {
  expect(stopSignalsOf(platform)).toEqual(stop);
});

test.each([
  { platform: 'linux', stop: ['SIGINT', 'SIGTERM'], renew: ['SIGHUP'] },
  { platform: 'win32', stop: ['SIGINT', 'SIGBREAK', 'SIGHUP'], renew: [] },
] as const)(
  '$platform ends a service by $stop, and has it read its files anew by $renew',
  ({ platform, ...signals }) => {
    expect(serviceSignals(platform)).toEqual(signals);
  },
);
