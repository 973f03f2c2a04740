/** The signals that stop a program on each platform. */
import { expect, test } from 'vitest';
import { serviceSignals, stopSignalsOf } from '../../src/cli/stop-signals.ts';

test.each([
  { platform: 'linux', stop: ['SIGINT', 'SIGTERM', 'SIGHUP'] },
  { platform: 'darwin', stop: ['SIGINT', 'SIGTERM', 'SIGHUP'] },
  { platform: 'win32', stop: ['SIGINT', 'SIGBREAK', 'SIGHUP'] },
] as const)('on $platform, $stop stop what a person started', ({ platform, stop }) => {
  expect(stopSignalsOf(platform)).toEqual(stop);
});

test.each([
  { platform: 'linux', stop: ['SIGINT', 'SIGTERM'], renew: ['SIGHUP'] },
  { platform: 'win32', stop: ['SIGINT', 'SIGBREAK', 'SIGHUP'], renew: [] },
] as const)(
  'on $platform, $stop stop a service, and $renew make it read its files again',
  ({ platform, ...signals }) => {
    expect(serviceSignals(platform)).toEqual(signals);
  },
);
