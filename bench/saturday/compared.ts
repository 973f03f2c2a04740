/** The books of a busy Saturday compared to the cent: matches are summed, differences are listed with their sale. */
import { printMinor, sumOf } from './amounts.ts';
import type { Books, GatewayPayment, TerminalBook, TillSale } from './books.ts';

/** The sums of one pair of books. */
export type SumRow = { name: string; till: bigint; theirs: bigint };
export type Compared = { sums: SumRow[]; differences: string[] };

/** A payment with all its follow-ups: what was charged and taken back again has no settlement line. */
type Chain = { root: TillSale; till: bigint; gateway: bigint; settled: bigint };

export const compareBooks = (books: Books): Compared => {
  const roots = rootsOf(books.till);
  // A follow-up of a reader's payment needs no terminal and may be booked at any counter, so the payment's counter
  // counts.
  const rootAt = (sale: TillSale): string => roots(sale).terminalId;
  const zvt = new Set(books.terminals.flatMap((one) => ('booked' in one ? [one.counter.terminalId] : [])));
  const atReaders = books.till.filter((sale) => !zvt.has(rootAt(sale)));
  const online = againstGateway(books, atReaders, roots);
  const terminals = books.terminals.map((book) => {
    const own = books.till.filter((sale) => rootAt(sale) === book.counter.terminalId);
    return 'booked' in book ? againstTerminal(book, own) : againstCards(book, own);
  });
  const tillSum = sumOf(books.till.map(({ moved }) => moved));
  const reports = { name: 'the till’s own reports', till: tillSum, theirs: books.reports };
  const all = [online, ...terminals];
  return {
    sums: [reports, ...all.flatMap(({ sums }) => sums)],
    differences: [
      ...(reports.till === reports.theirs ? [] : [`the till’s sales and its reports: ${apart(reports)}`]),
      ...all.flatMap(({ differences }) => differences),
      ...books.reconciled.differences.map((text) => `the till’s own reconciliation: ${text}`),
      ...(books.reconciled.refused === 0 ? [] : [`the till refused ${books.reconciled.refused} settlement lines`]),
    ],
  };
};

const apart = ({ till, theirs }: Pick<SumRow, 'till' | 'theirs'>): string =>
  `${printMinor(till)} and ${printMinor(theirs)}`;

const wordsOf = ({ receipt, operation, minor, ending, reason, sale }: TillSale): string =>
  `receipt ${receipt}, ${operation} of ${printMinor(minor)}, ${ending} ${reason}, ${sale}`;

/** The amount that an approved payment moves at the gateway; `of` is the payment it follows. */
const movedAt = ({ type, minor, isApproved }: GatewayPayment, of: GatewayPayment | undefined): bigint => {
  if (!isApproved) return 0n;
  if (type === 'DB' || type === 'CP') return minor;
  if (type === 'RF' || type === 'CD') return -minor;
  return type === 'RV' && of !== undefined && of.type !== 'PA' ? -movedAt(of, undefined) : 0n;
};

type RootOf = (sale: TillSale) => TillSale;

/** The payment at the start of a sale's chain. */
const rootsOf = (sales: readonly TillSale[]): RootOf => {
  const byReceipt = new Map(sales.map((sale) => [sale.receipt, sale]));
  const rootOf: RootOf = (sale) => {
    const before = sale.follows === undefined ? undefined : byReceipt.get(sale.follows);
    return before === undefined ? sale : rootOf(before);
  };
  return rootOf;
};

const againstGateway = (books: Books, sales: readonly TillSale[], rootOf: RootOf): Compared => {
  const chains = new Map<string, Chain>();
  const chainOf = (root: TillSale): Chain => {
    const known = chains.get(root.sale) ?? { root, till: 0n, gateway: 0n, settled: 0n };
    chains.set(root.sale, known);
    return known;
  };
  for (const sale of sales) chainOf(rootOf(sale)).till += sale.moved;

  const byId = new Map(books.till.map((sale) => [sale.sale, sale]));
  const byPayment = new Map(books.gateway.map((payment) => [payment.payment, payment]));
  const strangers: string[] = [];
  const add = (id: string, minor: bigint, side: 'gateway' | 'settled'): void => {
    const sale = byId.get(id);
    if (sale !== undefined) chainOf(rootOf(sale))[side] += minor;
    else if (minor !== 0n) strangers.push(`${side}: ${printMinor(minor)} of ${id || 'nobody'}, unknown to the till`);
  };
  for (const payment of books.gateway)
    add(payment.sale, movedAt(payment, byPayment.get(payment.follows ?? '')), 'gateway');
  for (const { sale, minor } of books.settled) add(sale, minor, 'settled');

  const off = [...chains.values()].filter(({ till, gateway, settled }) => till !== gateway || till !== settled);
  const till = sumOf([...chains.values()].map((chain) => chain.till));
  return {
    sums: [
      {
        ...{ name: 'gateway', till },
        theirs: sumOf(books.gateway.map((payment) => movedAt(payment, byPayment.get(payment.follows ?? '')))),
      },
      { name: 'settlement file', till, theirs: sumOf(books.settled.map(({ minor }) => minor)) },
    ],
    differences: [
      ...off.map((chain) => `${wordsOf(chain.root)}: ${sidesOf(chain)}`),
      ...strangers,
      ...twiceAt(books.gateway),
    ],
  };
};

const sidesOf = ({ till, gateway, settled }: Chain): string =>
  `till ${printMinor(till)}, gateway ${printMinor(gateway)}, settled ${printMinor(settled)}`;

/** One charge per sale, however often it was requested; a charge that was taken back may be beside another. */
const twiceAt = (payments: readonly GatewayPayment[]): string[] => {
  const back = new Set(
    payments.filter(({ type, isApproved }) => type === 'RV' && isApproved).map(({ follows = '' }) => follows),
  );
  const charges = payments.filter(({ type, isApproved, payment }) => type === 'DB' && isApproved && !back.has(payment));
  return [...Map.groupBy(charges, ({ sale }) => sale)]
    .filter(([, all]) => all.length > 1)
    .map(([sale, all]) => `${sale} is charged ${all.length} times at the gateway`);
};

/** A terminal with its own host: its payments by amount, each of which belongs to one sale. */
const againstTerminal = (
  { counter, booked }: Extract<TerminalBook, { booked: unknown }>,
  sales: readonly TillSale[],
): Compared => {
  const theirs = new Map<bigint, bigint>();
  const till = new Map<bigint, bigint>();
  const add = (sums: Map<bigint, bigint>, key: bigint, minor: bigint) =>
    void sums.set(key, (sums.get(key) ?? 0n) + minor);
  for (const { kind, amountMinor } of booked) add(theirs, amountMinor, kind === 'payment' ? amountMinor : -amountMinor);
  for (const { minor, moved } of sales) add(till, minor, moved);
  const sums = {
    name: `${counter.name} ${counter.protocol}`,
    till: sumOf(till.values()),
    theirs: sumOf(theirs.values()),
  };
  const off = [...new Set([...till.keys(), ...theirs.keys()])].filter(
    (key) => (till.get(key) ?? 0n) !== (theirs.get(key) ?? 0n),
  );
  return {
    sums: [sums],
    differences: off.map((key) => {
      const sale = sales.find(({ minor }) => minor === key);
      const both = apart({ till: till.get(key) ?? 0n, theirs: theirs.get(key) ?? 0n });
      return `${counter.name}: ${sale === undefined ? 'no sale' : wordsOf(sale)}: till and terminal ${both}`;
    }),
  };
};

/**
 * A reader holds no money; its cards sign for it. Each sale approved with a chip has one signed approval of its amount,
 * each contactless one has one signed request; no other sale has an approval, unless it was returned since.
 */
const againstCards = (
  { counter, signed }: Extract<TerminalBook, { signed: unknown }>,
  sales: readonly TillSale[],
): Compared => {
  const signatures = Map.groupBy(signed, ({ minor }) => minor);
  const byCard = sales.filter(({ operation }) => operation === 'sale' || operation === 'preauthorisation');
  const differences: string[] = [];
  const sums = { name: `${counter.name} ${counter.protocol}, signed by cards`, till: 0n, theirs: 0n };
  for (const sale of byCard) {
    const its = signatures.get(sale.minor) ?? [];
    const yes = its.filter(({ kind }) => kind === 'TC').length;
    const requestCount = its.filter(({ kind }) => kind === 'ARQC').length;
    const isYes = sale.ending === 'approved';
    const isChip = sale.entryMode === 'ICC';
    if (isYes && (isChip || sale.entryMode === 'NFC_ICC')) {
      const count = isChip ? yes : requestCount;
      sums.till += sale.minor;
      sums.theirs += sale.minor * BigInt(count);
      if (count !== 1) differences.push(`${counter.name}: ${wordsOf(sale)}: signed ${count} times`);
    } else if (!isYes && yes > 0 && !undone.has(sale.reason)) {
      sums.theirs += sale.minor * BigInt(yes);
      differences.push(`${counter.name}: ${wordsOf(sale)}: its chip approved`);
    }
  }
  const amounts = new Set(byCard.map(({ minor }) => minor));
  for (const [minor, its] of signatures)
    if (!amounts.has(minor) && its.some(({ kind }) => kind === 'TC'))
      differences.push(`${counter.name}: a chip signed ${printMinor(minor)}, for which the till has no sale`);
  return { sums: [sums], differences };
};

/**
 * The chip approved, and the money was returned or never taken: the till, its terminal or the card was gone by then,
 * the bank declined what had been taken offline, or the till had refused to take it offline before.
 */
const undone: ReadonlySet<string> = new Set([
  ...['reversed', 'restartedAfterApproval', 'restarted', 'neverArrived', 'terminalFailed'],
  ...['cardPulledAfterApproval', 'cancelledAfterApproval', 'declinedOnForwarding', 'offlineRefused'],
]);
