/** The books of a busy Saturday compared to the cent: matches are summed, differences are listed with their sale. */
import { printMinor, sumOf } from './amounts.ts';
import type { Books, GatewayPayment, TerminalBook, TillSale } from './books.ts';

/** The sums of one pair of books. */
export type SumRow = { name: string; till: bigint; other: bigint };
export type Compared = { sums: SumRow[]; differences: string[] };

/** A payment with all its follow-ups: what was charged and taken back again has no settlement line. */
type Chain = { root: TillSale; till: bigint; gateway: bigint; settled: bigint };

export const compareBooks = (books: Books): Compared => {
  const roots = rootsOf(books.till);
  // A follow-up of a reader's payment needs no terminal and may be booked at any counter, so the payment's counter
  // counts.
  const rootAt = (sale: TillSale): string => roots(sale).terminalId;
  const zvt = new Set(
    books.terminals.flatMap((terminal) => ('booked' in terminal ? [terminal.counter.terminalId] : [])),
  );
  const readerSales = books.till.filter((sale) => !zvt.has(rootAt(sale)));
  const online = againstGateway(books, readerSales, roots);
  const terminals = books.terminals.map((book) => {
    const ownSales = books.till.filter((sale) => rootAt(sale) === book.counter.terminalId);
    return 'booked' in book ? againstTerminal(book, ownSales) : againstCards(book, ownSales);
  });
  const tillSum = sumOf(books.till.map(({ movedMinor }) => movedMinor));
  const reports = { name: 'the till’s own reports', till: tillSum, other: books.reports };
  const all = [online, ...terminals];
  return {
    sums: [reports, ...all.flatMap(({ sums }) => sums)],
    differences: [
      ...(reports.till === reports.other ? [] : [`the till’s sales and its reports: ${differenceText(reports)}`]),
      ...all.flatMap(({ differences }) => differences),
      ...books.reconciled.differences.map((text) => `the till’s own reconciliation: ${text}`),
      ...(books.reconciled.refusedCount === 0
        ? []
        : [`the till refused ${books.reconciled.refusedCount} settlement lines`]),
    ],
  };
};

const differenceText = ({ till, other }: Pick<SumRow, 'till' | 'other'>): string =>
  `${printMinor(till)} and ${printMinor(other)}`;

const saleText = ({ receipt, operation, minor, ending, reason, sale }: TillSale): string =>
  `receipt ${receipt}, ${operation} of ${printMinor(minor)}, ${ending} ${reason}, ${sale}`;

/** The amount that an approved payment moves at the gateway; `of` is the payment it follows. */
const movedMinorOf = (
  { type, minor, isApproved }: GatewayPayment,
  parentPayment: GatewayPayment | undefined,
): bigint => {
  if (!isApproved) return 0n;
  if (type === 'DB' || type === 'CP') return minor;
  if (type === 'RF' || type === 'CD') return -minor;
  return type === 'RV' && parentPayment !== undefined && parentPayment.type !== 'PA'
    ? -movedMinorOf(parentPayment, undefined)
    : 0n;
};

type RootOf = (sale: TillSale) => TillSale;

/** The payment at the start of a sale's chain. */
const rootsOf = (sales: readonly TillSale[]): RootOf => {
  const byReceipt = new Map(sales.map((sale) => [sale.receipt, sale]));
  const rootOf: RootOf = (sale) => {
    const parentSale = sale.follows === undefined ? undefined : byReceipt.get(sale.follows);
    return parentSale === undefined ? sale : rootOf(parentSale);
  };
  return rootOf;
};

const againstGateway = (books: Books, sales: readonly TillSale[], rootOf: RootOf): Compared => {
  const chains = new Map<string, Chain>();
  const chainOf = (root: TillSale): Chain => {
    const chain = chains.get(root.sale) ?? { root, till: 0n, gateway: 0n, settled: 0n };
    chains.set(root.sale, chain);
    return chain;
  };
  for (const sale of sales) chainOf(rootOf(sale)).till += sale.movedMinor;

  const byId = new Map(books.till.map((sale) => [sale.sale, sale]));
  const byPayment = new Map(books.gateway.map((payment) => [payment.payment, payment]));
  const unknown: string[] = [];
  const add = (id: string, minor: bigint, side: 'gateway' | 'settled'): void => {
    const sale = byId.get(id);
    if (sale !== undefined) chainOf(rootOf(sale))[side] += minor;
    else if (minor !== 0n) unknown.push(`${side}: ${printMinor(minor)} of ${id || 'nobody'}, unknown to the till`);
  };
  for (const payment of books.gateway)
    add(payment.sale, movedMinorOf(payment, byPayment.get(payment.follows ?? '')), 'gateway');
  for (const { sale, minor } of books.settled) add(sale, minor, 'settled');

  const differing = [...chains.values()].filter(({ till, gateway, settled }) => till !== gateway || till !== settled);
  const till = sumOf([...chains.values()].map((chain) => chain.till));
  return {
    sums: [
      {
        ...{ name: 'gateway', till },
        other: sumOf(books.gateway.map((payment) => movedMinorOf(payment, byPayment.get(payment.follows ?? '')))),
      },
      { name: 'settlement file', till, other: sumOf(books.settled.map(({ minor }) => minor)) },
    ],
    differences: [
      ...differing.map((chain) => `${saleText(chain.root)}: ${chainText(chain)}`),
      ...unknown,
      ...doubleCharges(books.gateway),
    ],
  };
};

const chainText = ({ till, gateway, settled }: Chain): string =>
  `till ${printMinor(till)}, gateway ${printMinor(gateway)}, settled ${printMinor(settled)}`;

/** One charge per sale, however often it was requested; a charge that was taken back may be beside another. */
const doubleCharges = (payments: readonly GatewayPayment[]): string[] => {
  const reversedPayments = new Set(
    payments.filter(({ type, isApproved }) => type === 'RV' && isApproved).map(({ follows = '' }) => follows),
  );
  const charges = payments.filter(
    ({ type, isApproved, payment }) => type === 'DB' && isApproved && !reversedPayments.has(payment),
  );
  return [...Map.groupBy(charges, ({ sale }) => sale)]
    .filter(([, all]) => all.length > 1)
    .map(([sale, all]) => `${sale} is charged ${all.length} times at the gateway`);
};

/** A terminal with its own host: its payments by amount, each of which belongs to one sale. */
const againstTerminal = (
  { counter, booked }: Extract<TerminalBook, { booked: unknown }>,
  sales: readonly TillSale[],
): Compared => {
  const terminalSums = new Map<bigint, bigint>();
  const till = new Map<bigint, bigint>();
  const add = (sums: Map<bigint, bigint>, key: bigint, minor: bigint) =>
    void sums.set(key, (sums.get(key) ?? 0n) + minor);
  for (const { kind, amountMinor } of booked)
    add(terminalSums, amountMinor, kind === 'payment' ? amountMinor : -amountMinor);
  for (const { minor, movedMinor: moved } of sales) add(till, minor, moved);
  const sums = {
    name: `${counter.name} ${counter.protocol}`,
    till: sumOf(till.values()),
    other: sumOf(terminalSums.values()),
  };
  const off = [...new Set([...till.keys(), ...terminalSums.keys()])].filter(
    (key) => (till.get(key) ?? 0n) !== (terminalSums.get(key) ?? 0n),
  );
  return {
    sums: [sums],
    differences: off.map((key) => {
      const sale = sales.find(({ minor }) => minor === key);
      const bothSums = differenceText({ till: till.get(key) ?? 0n, other: terminalSums.get(key) ?? 0n });
      return `${counter.name}: ${sale === undefined ? 'no sale' : saleText(sale)}: till and terminal ${bothSums}`;
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
  const sums = { name: `${counter.name} ${counter.protocol}, signed by cards`, till: 0n, other: 0n };
  for (const sale of byCard) {
    const signed = signatures.get(sale.minor) ?? [];
    const tcCount = signed.filter(({ kind }) => kind === 'TC').length;
    const arqcCount = signed.filter(({ kind }) => kind === 'ARQC').length;
    const isApproved = sale.ending === 'approved';
    const isChip = sale.entryMode === 'ICC';
    if (isApproved && (isChip || sale.entryMode === 'NFC_ICC')) {
      const count = isChip ? tcCount : arqcCount;
      sums.till += sale.minor;
      sums.other += sale.minor * BigInt(count);
      if (count !== 1) differences.push(`${counter.name}: ${saleText(sale)}: signed ${count} times`);
    } else if (!isApproved && tcCount > 0 && !undone.has(sale.reason)) {
      sums.other += sale.minor * BigInt(tcCount);
      differences.push(`${counter.name}: ${saleText(sale)}: its chip approved`);
    }
  }
  const amounts = new Set(byCard.map(({ minor }) => minor));
  for (const [minor, signed] of signatures)
    if (!amounts.has(minor) && signed.some(({ kind }) => kind === 'TC'))
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
