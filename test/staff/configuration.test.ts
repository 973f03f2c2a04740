/** Who may change which field of a till's configuration: each of them, so that none is added whose door is open. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { configurationPermissions, permissionToChange } from '../../src/api/ports/configuration.ts';
import { mayDo, type Permission } from '../../src/api/ports/roles.ts';
import { configSchema } from '../../src/folder/config.ts';

type Schema = {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  propertyNames?: { enum?: string[] };
};

/** Every field by its dotted name; a list is one field, as in what an import says it would change. */
const leavesOf = ({ properties, additionalProperties, propertyNames }: Schema, path = ''): string[] => {
  const below = Object.entries(properties ?? {});
  const named = propertyNames?.enum?.map((name): [string, Schema] => [name, additionalProperties as Schema]) ?? [];
  const all = [...below, ...named];
  return all.length === 0
    ? [path]
    : all.flatMap(([name, schema]) => leavesOf(schema, path === '' ? name : `${path}.${name}`));
};

const leaves = leavesOf(z.toJSONSchema(configSchema, { io: 'output', unrepresentable: 'any' }) as Schema);

/** Whose each field is; of the offline limits there are too many to name. */
const rows: Partial<Record<Permission, string[]>> = {
  pairTerminal: [
    ...['merchant.name', 'merchant.address', 'merchant.id', 'merchant.vat', 'terminalId', 'terminal', 'terminals'],
    ...['location.latitude', 'location.longitude', 'location.accuracy', 'queue.atOnce', 'printers'],
    ...[
      'device.deviceType',
      'device.dialects',
      'device.deviceId',
      'device.model',
      'device.serial',
      'device.firmware',
      'device.pairedAt',
    ],
    ...['paper.logo', 'paper.header', 'paper.footer', 'paper.language', 'paper.print', 'paper.codes'],
    ...['screens.language', 'screens.tipPercents'],
  ],
  changeGateway: [
    ...['gateway.entityId', 'gateway.baseUrl', 'gateway.upstream.baseUrl', 'gateway.upstream.entityId'],
    ...['gateway.timeoutMs', 'gateway.requestLifeMs'],
  ],
  changeLimits: ['currency', 'preauthorisation.days', 'keepCardDataDays'],
  closeBatch: ['businessDay.cutOff', 'businessDay.timeZone'],
  manageStaff: ['screens.lockAfterMinutes'],
  exportJournal: ['secondCopy'],
  sayTestHost: ['device.testHost'],
  diagnose: ['simulatedTerminal'],
};

test('every field of the configuration stands in a row', () => {
  const listed = Object.values(rows).flat();
  expect(leaves.filter((field) => !field.startsWith('offline.')).sort()).toEqual(listed.sort());
  for (const [permission, fields] of Object.entries(rows))
    for (const field of fields) expect([field, permissionToChange(field)]).toEqual([field, permission]);
});

test('every offline limit, one by one, is a manager’s', () => {
  const limits = leaves.filter((field) => field.startsWith('offline.'));
  expect(limits.length).toBeGreaterThan(50);
  expect(new Set(limits.map(permissionToChange))).toEqual(new Set(['changeLimits']));
});

test('no row is there for nothing, and what stands in none is a manager’s alone', () => {
  for (const name of Object.keys(configurationPermissions))
    expect(
      leaves.some((field) => field === name || field.startsWith(`${name}.`)),
      name,
    ).toBe(true);
  for (const field of ['', 'fresh', 'offlineToo', 'constructor', '__proto__.x']) {
    const permission = permissionToChange(field);
    expect([field, mayDo('technician', permission), mayDo('cashier', permission)]).toEqual([field, false, false]);
  }
});
