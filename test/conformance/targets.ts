/** Creates an object of each kind for the path of an operation. */
import { card, order, planned, requests, shops } from './companions.ts';
import type { Host } from './host.ts';

/** The line with the id of such an object, or of a payment that allows large captures. */
export type LineFor = (line: string, name: string) => Promise<string>;

/** `stored` is a registration. The name is that of the parameter under test. */
export const targetsOn = (host: Host, stored: string): LineFor => {
  // No report: nothing is settled on the day on which everything is created.
  const things: readonly (readonly [path: RegExp, create: (name: string) => Promise<string>])[] = [
    [/checkouts\/:id\/registration$/, () => host.made('POST /v1/checkouts', { createRegistration: 'true' })],
    [
      /checkouts/,
      (name) => host.made('POST /v1/checkouts', { ...order, ...shops(name), 'registrations[0].id': stored }),
    ],
    [/registrations/, async () => stored],
    [/schedules/, () => host.made('POST /scheduling/v1/schedules', { ...planned, registrationId: stored })],
    [/webhooks/, () => host.made('POST /v1/webhooks', requests['POST /v1/webhooks']?.('') ?? {})],
    [/aggregations/, async () => 'f'.repeat(32)],
  ];
  return async (line, name) => {
    if (!line.includes(':id')) return line;
    const make = things.find(([path]) => path.test(line))?.[1];
    if (make !== undefined) return line.replace(':id', await make(name));
    const held = { ...card, amount: '100.00', currency: 'EUR', paymentType: 'PA' };
    return line.replace(':id', await host.made('POST /v1/payments', held));
  };
};
