/** Terminals as a technician sees them: found, paired and named. */
import * as z from 'zod';
import { problem } from './problem.ts';
import { localizedMessage, name, terminalNumber } from './wire.ts';

export const linkKind = z.enum(['serial', 'hid', 'tcp']);
export type LinkKind = z.infer<typeof linkKind>;

const keyState = z.strictObject({
  use: z.enum(['sred', 'pin', 'mac']),
  slot: z.string().optional().describe('The device’s own name for the place of the key, where it has several.'),
  ksn: z.string().optional().describe('Current key serial number, hex, when the device tells it before use.'),
  usesLeft: z
    .number()
    .optional()
    .describe('Transactions that the key is still good for, when its serial number tells.'),
  ready: z.boolean(),
});

const deviceHealth = z.strictObject({
  ok: z.boolean(),
  problems: z.array(z.string()).readonly().describe('Whole sentences for a person; empty when all is well.'),
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
  .describe('Rows of its protocol’s table of dialects that it was heard to speak.');

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
export type WrittenDevice = z.infer<typeof writtenDevice>;

export const deviceRow = z
  .strictObject({
    counter: z.string().optional().describe('`T1`; absent for what is plugged in and not paired.'),
    address: z.string(),
    link: linkKind,
    driver: z.string().optional(),
    title: z.string(),
    model: z.string().optional(),
    serial: z.string().optional(),
    firmware: z.string().optional(),
    hasPinPad: z.boolean().optional().describe('Absent where the model is not known.'),
    keys: z.array(keyState).optional(),
    batteryPercent: z.number().optional(),
    clockDifferenceMs: z.number().optional(),
    tampered: z.boolean().optional(),
    health: deviceHealth.optional().describe('How it said it is, when it was last asked.'),
    problems: z.array(z.string()),
    toldProblems: z
      .array(localizedMessage.nullable())
      .optional()
      .describe('Those problems that have words in the reader’s language, in the same places.'),
    lastSeenAt: z.number().optional(),
    pairedAt: z.string().optional(),
    written: writtenDevice.optional(),
    terminalId: z.string().optional().describe('The number that the acquirer gave it, where it is paired.'),
    asksBank: z.literal(true).optional().describe('It authorises by itself, and belongs to one till alone.'),
    simulated: z.literal(true).optional().describe('A simulated terminal, used because none is paired.'),
    atTestHost: z
      .boolean()
      .optional()
      .describe(
        'Whether a manager said that it is at its maker’s test host, where no money moves. Absent where nobody may say ' +
          'so: it concerns only a paired terminal that authorises by itself, at a test till.',
      ),
    busy: z.literal(true).optional().describe('A sale is in progress on it: it is not disturbed.'),
    fits: z
      .array(z.strictObject({ driver: z.string(), address: z.string() }))
      .optional()
      .describe('Plugged in, and more than one driver may fit: the likeliest first.'),
    likely: z.enum(['known', 'perhaps', 'unlikely']).optional(),
    place: z.string().optional().describe('Where it is plugged in, without a driver.'),
    path: z.string().optional().describe('Its port or node.'),
    family: z.string().optional().describe('The maker’s name of its family.'),
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
  refused: problem.optional().describe('Why nothing is sold on it yet.'),
});
export type PairedRow = z.infer<typeof pairedRow>;

export const pluggedAnswer = z.strictObject({
  candidates: z.array(deviceRow),
  problems: z.array(z.string()),
  toldProblems: z
    .array(localizedMessage)
    .optional()
    .describe('The problems in the reader’s language, in the same places.'),
});
export type PluggedAnswer = z.infer<typeof pluggedAnswer>;

export const metDevice = deviceRow
  .extend({ echoMs: z.array(z.number()).describe('How long each loopback took.') })
  .meta({ id: 'MetDevice', description: 'A terminal that was opened and tried.' });
export type MetDevice = z.infer<typeof metDevice>;

export const pairingStep = z
  .strictObject({
    step: z.enum(['find', 'talk', 'name', 'test', 'done']),
    says: z.string(),
    told: localizedMessage.optional(),
    hex: z.array(z.string()).optional(),
    problem: problem.optional(),
    strays: z.array(z.string()).optional().describe('What came from the terminal unasked since the step before.'),
  })
  .meta({ id: 'PairingStep' });
export type PairingStep = z.infer<typeof pairingStep>;

// What is asked for.

export const address = z.string().min(1).max(200);
/** A person's yes: a place without its protocol may be asked in each. */
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
  swap: z.enum(['true', 'false']).optional().describe('Forget it though sales on it are still open.'),
});
export const meetRequest = z.strictObject({ address, probe });
export const searchRequest = z.strictObject({
  places: z.array(address).max(20).readonly().optional().describe('These places, else all that is plugged in.'),
  probe,
  everyPort: z.boolean().optional().describe('Look at ports of the mainboard too.'),
});
export type SearchWish = z.infer<typeof searchRequest>;

export const searchNews = z.union([
  z
    .strictObject({ asking: z.array(z.string()).readonly(), withinMs: z.number() })
    .describe('The places that are asked, which takes so long at most.'),
  z.strictObject({ done: z.number(), all: z.number() }).describe('How many of them are through.'),
]);
export type SearchNews = z.infer<typeof searchNews>;

export const searchAnswer = z.strictObject({
  found: z.array(deviceRow),
  silent: z.array(z.string()).describe('Places without a terminal, and what each driver met there.'),
  skipped: z.array(z.string()).describe('Places that were not asked without `probe`.'),
});
export type SearchAnswer = z.infer<typeof searchAnswer>;
export const testHostRequest = z.strictObject({ atTestHost: z.boolean() });
