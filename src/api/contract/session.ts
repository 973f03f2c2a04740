/** Who is at the till: signing in by PIN, what a role may do, and a manager's approval of somebody else's action. */
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
    program: z.string().optional().describe('A program at the counter, by the name that its key was given.'),
    key: z
      .strictObject({ madeBy: z.string().optional(), approvedBy: z.string().optional() })
      .optional()
      .describe(
        'Who made the program’s key, and which manager approved it. Absent as long as the till knows no people.',
      ),
    permissions: z.array(permission).readonly(),
    csrf: z.string().describe('Goes with each request that changes something, in the header `X-Csrf-Token`.'),
    lockAfterMs: z.number().describe('After so long without a touch the till locks itself, ms.'),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof signedIn>;

export const shopFacts = z
  .strictObject({
    name: z.string(),
    terminalId: z.string(),
    currency: z.string(),
    exponent: z.number().describe('Decimals of the currency’s minor unit.'),
    timeZone: z.string().describe('IANA name of the zone that dates are shown in.'),
    language: z.string().describe('Language of the screens until somebody chooses another one; BCP 47.'),
    tipPercents: z
      .array(z.number())
      .readonly()
      .describe('Tips that are offered, whole percent of the amount: one to four of them.'),
    version: z.string(),
    mode: displayMode.describe(
      'Whether money moves: only with `live`. `training` is a test till of one session, with books of its own.',
    ),
    held: z
      .enum(['other', 'behind', 'plain'])
      .optional()
      .describe(
        'Why no money may be moved: the folder belongs to another machine, the gateway knows sales that it lacks, or the ' +
          'way to the gateway is plain http.',
      ),
    plainUsed: z
      .boolean()
      .optional()
      .describe('Payments go over plain http, as they did before a manager was asked: managers are to be told.'),
  })
  .meta({ id: 'ShopFacts' });
export type ShopFacts = z.infer<typeof shopFacts>;

export const sessionState = z
  .strictObject({
    shop: shopFacts,
    signedIn: signedIn
      .optional()
      .describe('Absent: somebody has to sign in first; at a till without people, to bring the code of its start.'),
    staffKnown: z.boolean().describe('Whether any people are known at this till.'),
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
    usedAt: z.number().describe('When somebody signed in there last.'),
    isThis: z.boolean().describe('Whether it is the browser that asks.'),
  })
  .describe('A browser that a manager has signed in at.');
export type BrowserRow = z.infer<typeof browserRow>;

export const overrideAnswer = z.strictObject({ word: z.string(), by: z.string() });

export const signInRequest = z.strictObject({ name, pin });
export const codeRequest = z.strictObject({ code: z.string().min(1).max(100) });
export const overrideRequest = z.strictObject({ name, pin, permission });
export const browserPath = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, wantWords.browser) });
