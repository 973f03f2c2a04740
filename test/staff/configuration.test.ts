/** Who may change which field of a till's configuration: every field is listed, so that no new field is left open. */
import { expect, test } from 'vitest';
import * as z from 'zod';
import { configurationPermissions, mayDo, type Permission, permissionToChange } from '../../src/api/contract/roles.ts';
import { configSchema } from '../../src/folder/config.ts';

type Schema = {
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  propertyNames?: { enum?: string[] };
};

/** Every field by its dotted name; a list is one field, as in the preview of an import. */
const leavesOf = ({ properties, additionalProperties, propertyNames }: Schema, path = ''): string[] => {
  const below = Object.entries(properties ?? {});
  const namedFields =
    propertyNames?.enum?.map((name): [string, Schema] => [name, additionalProperties as Schema]) ?? [];
  const all = [...below, ...namedFields];
  return all.length === 0
    ? [path]
    : all.flatMap(([name, schema]) => leavesOf(schema, path === '' ? name : `${path}.${name}`));
};

const leaves = leavesOf(z.toJSONSchema(configSchema, { io: 'output', unrepresentable: 'any' }) as Schema);

/** Who may change each field; the offline limits are too many to list. */
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

test('every field of the configuration is in a row', () => {
  const listed = Object.values(rows).flat();
  expect(leaves.filter((field) => !field.startsWith('offline.')).sort()).toEqual(listed.sort());
  for (const [permission, fields] of Object.entries(rows))
    for (const field of fields) expect([field, permissionToChange(field)]).toEqual([field, permission]);
});

test('every single offline limit is for managers', () => {
  const limits = leaves.filter((field) => field.startsWith('offline.'));
  expect(limits.length).toBeGreaterThan(50);
  expect(new Set(limits.map(permissionToChange))).toEqual(new Set(['changeLimits']));
});

test('every row is needed, and unlisted fields are for managers only', () => {
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
