/** The simulator's memory as documents: outcomes by id, accounts and purses by name … Nothing in them is sensitive. */
import { z } from 'zod';
import { Fault } from '../../../base/fault.ts';
import type { AcquirerAnswer, AcquirerMemory, Documents, HeldDocuments } from '../acquirer.ts';
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

/** Money of an account that is no card: a gift card, a bank account. */
const purseShape = z.strictObject({
  /** Thousandths of a unit. */
  available: whole,
});
export type PurseState = z.output<typeof purseShape>;

const text = z.string();

const answerShape: z.ZodType<AcquirerAnswer> = z.strictObject({
  resultCode: text,
  account: z.exactOptional(
    z.strictObject({
      brand: z.enum(['VISA', 'MASTER', 'MAESTRO', 'AMEX', 'DINERS', 'DISCOVER', 'JCB', 'UNIONPAY', 'CARTEBLEUE']),
      bin: text,
      last4Digits: text,
      holder: z.exactOptional(text),
      expiryMonth: text,
      expiryYear: text,
    }),
  ),
  iccDataResponse: z.exactOptional(text),
  statusText: z.exactOptional(text),
  clearing: z.exactOptional(
    z.strictObject({ authorizationAcquirerCode: text, authorizationIssuerCode: text, identifier: text }),
  ),
  merchantId: z.exactOptional(text),
  cvvResponse: z.exactOptional(text),
  avsResponse: z.exactOptional(text),
  redirect: z.exactOptional(
    z.strictObject({ url: text, parameters: z.array(z.strictObject({ name: text, value: text })) }),
  ),
  merchantBankAccount: z.exactOptional(z.strictObject({ holder: text, number: text, bic: text, country: text })),
  details: z.record(text, text),
});

const movedShape: z.ZodType<Moved> = z.strictObject({
  type: z.enum(['PA', 'DB', 'CD']),
  currency: text,
  authorised: whole,
  captured: whole,
  reversed: whole,
  refunded: whole,
  // Documents of the first version have neither.
  chargedBack: whole.prefault('0'),
  chargebackReversed: whole.prefault('0'),
});

const operations = [
  'PA',
  'DB',
  'CD',
  'capture',
  'reverse',
  'refund',
  'increase',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'closed',
] as const;

const outcomeShape = z.strictObject({
  /** `closed`: nothing was done under this id, and nothing ever will be. */
  operation: z.enum(operations),
  minor: whole,
  currency: text,
  /** What a follow-up is about. */
  of: z.exactOptional(text),
  /** Which document the money sits in, once that is known: a card's account … */
  account: z.exactOptional(text),
  /** … or a purse. */
  purse: z.exactOptional(text),
  /** Waits for the shopper: the answer carries a pending code and the way to go. */
  pending: z.exactOptional(z.literal(true)),
  /** Of a closed one: who closed it. */
  closedBy: z.exactOptional(z.enum(['reversal', 'inquiry'])),
  answer: answerShape,
  /** Only of an approved authorisation or rebill. */
  moved: z.exactOptional(movedShape),
});
export type Outcome = z.output<typeof outcomeShape>;

/** Wrong PINs in a row at a gift card. It is no money, so it outlives every movement of the card's purse. */
const triesShape = z.strictObject({ wrong: count });

/** A shopper sent to the simulated bank: where he goes back to, and the shop as he knows it. By the payment's id. */
const visitShape = z.strictObject({ returnTo: text, shop: text });

const shapes = {
  outcome: outcomeShape,
  account: accountShape,
  purse: purseShape,
  key: windowShape,
  tries: triesShape,
  visit: visitShape,
} as const;
export type Kind = keyof typeof shapes;
export type Document<K extends Kind> = z.output<(typeof shapes)[K]>;

export type Change = { [K in Kind]: { kind: K; name: string; document: Document<K> } }[Kind];

export type Desk = {
  /** Undefined if there is no such document. Throws `gateway.state` if there is one that cannot be understood. */
  read<K extends Kind>(kind: K, name: string): Promise<Document<K> | undefined>;
  /** Kept with everything else the work writes, or not at all. */
  write(changes: readonly Change[]): Promise<void>;
};

export type Ledger = Pick<Desk, 'read'> & {
  /**
   * Works that share a name run one after another, in all processes; what a work writes is durable when this resolves.
   * A name is that of a document, with its kind before it: `outcome 8ac7…`, `purse …`. A work must not begin another.
   */
  exclusively<T>(names: readonly string[], work: (desk: Desk) => Promise<T>): Promise<T>;
};

export const openLedger = (memory: AcquirerMemory): Ledger => ({
  read: reading(memory),
  exclusively: (names, work) => memory.exclusively(names.map(turnOf), (documents) => work(deskOn(documents))),
});

/** A ledger inside a work of the gateway: what it writes is kept with that, or not at all. */
export const ledgerWithin = (documents: HeldDocuments): Ledger => {
  const desk = deskOn(documents);
  return {
    read: desk.read,
    async exclusively(names, work) {
      await documents.hold(names.map(turnOf));
      return work(desk);
    },
  };
};

const turnOf = (name: string): string => `simulator ${name}`;

const deskOn = (documents: Documents): Desk => ({
  read: reading(documents),
  async write(changes) {
    if (changes.length === 0) return;
    const entries = changes.map((change) => [keyOf(change.kind, change.name), print(change)]);
    await documents.set(Object.fromEntries(entries));
  },
});

const reading =
  (documents: Pick<Documents, 'get'>): Desk['read'] =>
  async <K extends Kind>(kind: K, name: string) => {
    const key = keyOf(kind, name);
    const kept = await documents.get(key);
    if (kept === undefined) return undefined;
    const parsed = shapes[kind].safeParse(jsonOf(kept));
    if (!parsed.success) throw new Fault('gateway.state', { why: `the simulator’s document ${key} is malformed` });
    return parsed.data as Document<K>;
  };

const keyOf = (kind: Kind, name: string): string => `simulator/${kind}/${name}`;

const print = ({ document }: Change): string =>
  JSON.stringify(document, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

const jsonOf = (kept: string): unknown => {
  try {
    return JSON.parse(kept);
  } catch {
    // Falls through to the shape check, which refuses it by name.
    return undefined;
  }
};
