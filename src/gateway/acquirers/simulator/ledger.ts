/** The simulator's memory as documents: outcomes by id, accounts and keys by name. Nothing in them is sensitive. */
import { z } from 'zod';
import { Fault } from '../../../base/fault.ts';
import type { AcquirerAnswer, AcquirerMemory } from '../acquirer.ts';
import type { Moved } from './purse.ts';

const whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const count = z.number().int().nonnegative();
const windowShape = z.strictObject({ highest: count, used: z.string().regex(/^[0-9A-F]+$/) });

const accountShape = z.strictObject({
  /** Thousandths of a unit. */
  available: whole,
  /** Wrong PINs in a row, and when the last was, ms. */
  pin: z.strictObject({ wrong: count, at: z.number() }),
  /** Transaction counters seen, by PAN sequence number: each card of an account has its own chip. */
  counters: z.record(z.string(), windowShape),
  /** Approved payments of one UTC day. */
  day: z.strictObject({ date: z.string(), payments: count }),
});
export type AccountState = z.output<typeof accountShape>;

const answerShape: z.ZodType<AcquirerAnswer> = z.strictObject({
  resultCode: z.string(),
  account: z.exactOptional(
    z.strictObject({
      brand: z.enum(['VISA', 'MASTER', 'MAESTRO', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'UNIONPAY', 'CARTEBLEUE']),
      bin: z.string(),
      last4Digits: z.string(),
      holder: z.exactOptional(z.string()),
      expiryMonth: z.string(),
      expiryYear: z.string(),
    }),
  ),
  iccDataResponse: z.exactOptional(z.string()),
  statusText: z.exactOptional(z.string()),
  clearing: z.exactOptional(
    z.strictObject({
      authorizationAcquirerCode: z.string(),
      authorizationIssuerCode: z.string(),
      identifier: z.string(),
    }),
  ),
  merchantId: z.exactOptional(z.string()),
  cvvResponse: z.exactOptional(z.string()),
  details: z.record(z.string(), z.string()),
});

const movedShape: z.ZodType<Moved> = z.strictObject({
  type: z.enum(['PA', 'DB', 'CD']),
  currency: z.string(),
  authorised: whole,
  captured: whole,
  reversed: whole,
  refunded: whole,
});

const outcomeShape = z.strictObject({
  operation: z.enum(['PA', 'DB', 'CD', 'capture', 'reverse', 'refund', 'closed']),
  minor: whole,
  currency: z.string(),
  /** The authorisation that a capture, reversal or refund is about. */
  of: z.exactOptional(z.string()),
  /** The account's key, once the card is known. */
  account: z.exactOptional(z.string()),
  answer: answerShape,
  /** Only of an approved authorisation. */
  moved: z.exactOptional(movedShape),
});
export type Outcome = z.output<typeof outcomeShape>;

const shapes = { outcome: outcomeShape, account: accountShape, key: windowShape } as const;
type Kind = keyof typeof shapes;
type Documents = { [K in Kind]: z.output<(typeof shapes)[K]> };

export type Change = { [K in Kind]: { kind: K; name: string; document: Documents[K] } }[Kind];

export type Ledger = {
  /** Undefined if there is no such document. Throws `gateway.state` if there is one that cannot be understood. */
  read<K extends Kind>(kind: K, name: string): Promise<Documents[K] | undefined>;
  /** All changes or none; durable when it resolves. */
  write(changes: readonly Change[]): Promise<void>;
};

export const openLedger = (memory: AcquirerMemory): Ledger => ({
  async read<K extends Kind>(kind: K, name: string) {
    const key = keyOf(kind, name);
    const text = await memory.get(key);
    if (text === undefined) return undefined;
    const parsed = shapes[kind].safeParse(jsonOf(text));
    if (!parsed.success) throw new Fault('gateway.state', { why: `the simulator’s document ${key} is malformed` });
    return parsed.data as Documents[K];
  },
  async write(changes) {
    if (changes.length === 0) return;
    await memory.set(
      Object.fromEntries(changes.map(({ kind, name, document }) => [keyOf(kind, name), print(document)])),
    );
  },
});

const keyOf = (kind: Kind, name: string): string => `simulator/${kind}/${name}`;

const print = (document: unknown): string =>
  JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Falls through to the shape check, which refuses it by name.
    return undefined;
  }
};
