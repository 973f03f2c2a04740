/** Terminals as a technician sees them: found, paired and named. */
import * as z from 'zod';
import { problem } from './problem.ts';
import { localizedMessage, name, terminalNumber } from './wire.ts';

export const linkKind = z.enum(['serial', 'hid', 'tcp']);
export type LinkKind = z.infer<typeof linkKind>;

const keyState = z.strictObject({
  use: z.enum(['sred', 'pin', 'mac']),
  slot: z.string().optional().describe('The device’s own name for the key slot, if it has several.'),
  ksn: z.string().optional().describe('Current key serial number, hex, if the device reports it before use.'),
  usesLeft: z.number().optional().describe('The remaining number of transactions, if the serial number shows it.'),
  ready: z.boolean(),
});

const deviceHealth = z.strictObject({
  ok: z.boolean(),
  problems: z.array(z.string()).readonly().describe('Whole sentences for a person; empty if there are no problems.'),
  batteryPercent: z.number().optional(),
  tampered: z.boolean().optional().describe('The device reports that it was opened.'),
  clockDifferenceMs: z
    .number()
    .optional()
    .describe('The device’s clock minus the till’s, ms; positive when the device is ahead.'),
});

export const dialects = z
  .array(z.string())
  .readonly()
  .optional()
  .describe('Rows of its protocol’s dialect table that it was observed to use.');

export const writtenDevice = z
  .strictObject({
    deviceType: z.string(),
    deviceId: z.string().optional(),
    model: z.string(),
    serial: z.string(),
    firmware: z.string(),
    pairedAt: z.string().describe('`yyyy-MM-dd HH:mm:ss` in UTC.'),
    testHost: z.literal(true).optional(),
    dialects,
  })
  .describe('A paired terminal as it is written in till.json.');

export const deviceRow = z
  .strictObject({
    counter: z.string().optional().describe('`T1`; absent for a connected device that is not paired.'),
    address: z.string(),
    link: linkKind,
    driver: z.string().optional(),
    title: z.string(),
    model: z.string().optional(),
    serial: z.string().optional(),
    firmware: z.string().optional(),
    hasPinPad: z.boolean().optional().describe('Absent if the model is unknown.'),
    keys: z.array(keyState).optional(),
    batteryPercent: z.number().optional(),
    clockDifferenceMs: z.number().optional(),
    tampered: z.boolean().optional(),
    health: deviceHealth.optional().describe('The state that it reported when it was last asked.'),
    problems: z.array(z.string()),
    toldProblems: z
      .array(localizedMessage.nullable())
      .optional()
      .describe('The problems that have a translation, at the same positions.'),
    lastSeenAt: z.number().optional(),
    pairedAt: z.string().optional(),
    written: writtenDevice.optional(),
    terminalId: z.string().optional().describe('The acquirer’s number for it, if it is paired.'),
    asksBank: z.literal(true).optional().describe('It contacts its bank itself, and must belong to one till only.'),
    simulated: z.literal(true).optional().describe('A simulated terminal, used because none is paired.'),
    atTestHost: z
      .boolean()
      .optional()
      .describe(
        'Whether a manager confirmed that it uses its manufacturer’s test host, where no money moves. Present only ' +
          'for a paired terminal that contacts its bank itself, at a test till.',
      ),
    busy: z.literal(true).optional().describe('A sale is in progress on it, so the till does not query it.'),
    fits: z
      .array(z.strictObject({ driver: z.string(), address: z.string() }))
      .optional()
      .describe('Drivers that may fit a connected device, the most likely first.'),
    likely: z.enum(['known', 'perhaps', 'unlikely']).optional(),
    place: z.string().optional().describe('The address at which it is connected, without a driver.'),
    path: z.string().optional().describe('Its port or node.'),
    family: z.string().optional().describe('The manufacturer’s name for the product family.'),
    usb: z
      .strictObject({
        vendorId: z.number().optional(),
        productId: z.number().optional(),
        serial: z.string().optional(),
        manufacturer: z.string().optional(),
        product: z.string().optional(),
      })
      .optional(),
  })
  .meta({ id: 'DeviceRow' });
export type DeviceRow = z.infer<typeof deviceRow>;

export const pairedRow = deviceRow.extend({
  restart: z.literal('soon').optional(),
  refused: problem.optional().describe('Why the till does not sell on it yet.'),
});
export type PairedRow = z.infer<typeof pairedRow>;

export const pluggedAnswer = z.strictObject({
  candidates: z.array(deviceRow),
  problems: z.array(z.string()),
  toldProblems: z
    .array(localizedMessage)
    .optional()
    .describe('The problems in the reader’s language, at the same positions.'),
});
export type PluggedAnswer = z.infer<typeof pluggedAnswer>;

export const metDevice = deviceRow
  .extend({ echoMs: z.array(z.number()).describe('The duration of each loopback, ms.') })
  .meta({ id: 'MetDevice', description: 'A terminal that was opened and tested.' });
export type MetDevice = z.infer<typeof metDevice>;

export const pairingStep = z
  .strictObject({
    step: z.enum(['find', 'talk', 'name', 'test', 'done']),
    says: z.string(),
    told: localizedMessage.optional(),
    hex: z.array(z.string()).optional(),
    problem: problem.optional(),
    strays: z.array(z.string()).optional().describe('Unsolicited messages from the terminal since the previous step.'),
  })
  .meta({ id: 'PairingStep' });
export type PairingStep = z.infer<typeof pairingStep>;

// Requests.

export const address = z.string().min(1).max(200);
/** A person's confirmation that a place without a protocol may be asked in each protocol. */
export const probe = z.boolean().optional();

export const pairRequest = z.strictObject({
  address,
  terminalId: terminalNumber.optional(),
  counter: name.optional(),
  swap: z.boolean().optional(),
  alone: z.boolean().optional(),
});
export type PairRequest = z.infer<typeof pairRequest>;
export const unpairQuery = z.object({
  swap: z.enum(['true', 'false']).optional().describe('Remove it although sales on it are still open.'),
});
export const meetRequest = z.strictObject({ address, probe });
export const searchRequest = z.strictObject({
  places: z.array(address).max(20).readonly().optional().describe('These places; by default all connected devices.'),
  probe,
  everyPort: z.boolean().optional().describe('Include the ports of the mainboard.'),
});
export type TerminalSearch = z.infer<typeof searchRequest>;

export const searchNews = z.union([
  z
    .strictObject({ asking: z.array(z.string()).readonly(), withinMs: z.number() })
    .describe('The places that are asked, and the longest time this can take.'),
  z.strictObject({ done: z.number(), all: z.number() }).describe('How many of them are done.'),
]);
export type SearchNews = z.infer<typeof searchNews>;

export const searchAnswer = z.strictObject({
  found: z.array(deviceRow),
  silent: z.array(z.string()).describe('Places without a terminal, and what each driver found there.'),
  skipped: z.array(z.string()).describe('Places that were not asked without `probe`.'),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;
export const testHostRequest = z.strictObject({ atTestHost: z.boolean() });
