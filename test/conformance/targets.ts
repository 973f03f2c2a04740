/** Creates an object of each kind for the path of an operation. */
import { card, order, planned, requests, shops } from './companions.ts';
import type { Host } from './host.ts';

/** The line with the id of such an object, or of a payment that allows large captures. */
export type LineFor = (line: string, name: string) => Promise<string>;

/** `stored` is a registration. The name is that of the parameter under test. */
export const targetsOn = (host: Host, stored: string): LineFor => {
  // No report: nothing is settled on the day on which everything is created.
  const creators: readonly (readonly [path: RegExp, create: (name: string) => Promise<string>])[] = [
    [/checkouts\/:id\/registration$/, () => host.createdId('POST /v1/checkouts', { createRegistration: 'true' })],
    [
      /checkouts/,
      (name) => host.createdId('POST /v1/checkouts', { ...order, ...shops(name), 'registrations[0].id': stored }),
    ],
    [/registrations/, async () => stored],
    [/schedules/, () => host.createdId('POST /scheduling/v1/schedules', { ...planned, registrationId: stored })],
    [/webhooks/, () => host.createdId('POST /v1/webhooks', requests['POST /v1/webhooks']?.('') ?? {})],
    [/aggregations/, async () => 'f'.repeat(32)],
  ];
  return async (line, name) => {
    if (!line.includes(':id')) return line;
    const create = creators.find(([path]) => path.test(line))?.[1];
    if (create !== undefined) return line.replace(':id', await create(name));
    const preauthorisation = { ...card, amount: '100.00', currency: 'EUR', paymentType: 'PA' };
    return line.replace(':id', await host.createdId('POST /v1/payments', preauthorisation));
  };
};
