/** Sessions: signing in by PIN, permissions, and a manager's approval for another person's action. */
import * as z from 'zod';
import { wantWords } from '../../base/field-wants.ts';
import { permissionNames, roles } from './roles.ts';
import { displayMode, name, pin } from './wire.ts';

export const role = z.enum(roles).meta({ id: 'Role' });
export const permission = z.enum(permissionNames).meta({ id: 'Permission' });

export const signedIn = z
  .strictObject({
    name: z.string().optional(),
    role: role.optional(),
    program: z.string().optional().describe('A program at the counter: the name of its key.'),
    key: z
      .strictObject({ madeBy: z.string().optional(), approvedBy: z.string().optional() })
      .optional()
      .describe('Who created the program’s key, and which manager approved it. Absent on a till without staff.'),
    permissions: z.array(permission).readonly(),
    csrf: z.string().describe('The CSRF token for the header `X-Csrf-Token` of each request that changes something.'),
    lockAfterMs: z.number().describe('The time without user input after which the screens lock, ms.'),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof signedIn>;

export const shopFacts = z
  .strictObject({
    name: z.string(),
    terminalId: z.string(),
    currency: z.string(),
    exponent: z.number().describe('Decimals of the currency’s minor unit.'),
    timeZone: z.string().describe('IANA name of the time zone for dates.'),
    language: z.string().describe('Default language of the screens; BCP 47.'),
    tipPercents: z
      .array(z.number())
      .readonly()
      .describe('The offered tips, in whole percent of the amount: one to four values.'),
    version: z.string(),
    mode: displayMode.describe(
      'Whether money moves: only with `live`. `training` is a test till for one session, with its own books.',
    ),
    held: z
      .enum(['other', 'behind', 'plain'])
      .optional()
      .describe(
        'Why the till cannot sell: the folder belongs to another machine, the gateway has sales that it lacks, or ' +
          'the connection to the gateway is plain http.',
      ),
    plainUsed: z
      .boolean()
      .optional()
      .describe(
        'Payments go over plain http, as they did before managers had to allow it: managers should see a warning.',
      ),
  })
  .meta({ id: 'ShopFacts' });
export type ShopFacts = z.infer<typeof shopFacts>;

export const sessionState = z
  .strictObject({
    shop: shopFacts,
    signedIn: signedIn
      .optional()
      .describe('If absent, someone has to sign in first, or on a till without staff enter its start code.'),
    staffKnown: z.boolean().describe('Whether this till has staff.'),
  })
  .meta({ id: 'SessionState' });
export type SessionState = z.infer<typeof sessionState>;

export const tile = z.strictObject({ name: z.string(), role });
export type Tile = z.infer<typeof tile>;

export const browserRow = z
  .strictObject({
    id: z.string(),
    by: z.string().describe('The manager who signed in there first.'),
    knownAt: z.number(),
    usedAt: z.number().describe('The last sign-in there.'),
    isThis: z.boolean().describe('Whether it is the requesting browser.'),
  })
  .describe('A browser where a manager has signed in.');
export type BrowserRow = z.infer<typeof browserRow>;

export const overrideAnswer = z.strictObject({ word: z.string(), by: z.string() });

export const signInRequest = z.strictObject({ name, pin });
export const codeRequest = z.strictObject({ code: z.string().min(1).max(100) });
export const overrideRequest = z.strictObject({ name, pin, permission });
export const browserPath = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, wantWords.browser) });
