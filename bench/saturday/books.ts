/** The books of a busy Saturday on each side: till, its reports, gateway, settlement file, terminals. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { BatchRow } from '../../src/api/contract/books.ts';
import type { ReconciliationDetail } from '../../src/api/contract/reconciliations.ts';
import { meaningOf } from '../../src/base/code-meanings.ts';
import { minorOf } from './amounts.ts';
import type { Person } from './person.ts';
import type { CounterPlan } from './plan.ts';
import type { SaturdayShop } from './shop.ts';
import { type BookedPayment, bookedPaymentsIn, bookFile, type Signature, signaturesIn } from './terminal-books.ts';

export type TillSale = {
  receipt: number;
  /** The merchantTransactionId. */
  sale: string;
  operation: string;
  terminalId: string;
  minor: bigint;
  /** The amount that the till believes to have moved: negative for money returned. */
  movedMinor: bigint;
  ending: string;
  reason: string;
  entryMode: string;
  follows?: number;
};

export type GatewayPayment = {
  payment: string;
  sale: string;
  type: string;
  minor: bigint;
  isApproved: boolean;
  follows?: string;
};

export type TerminalBook = { counter: CounterPlan } & ({ booked: BookedPayment[] } | { signed: Signature[] });

export type Books = {
  till: readonly TillSale[];
  /** The net sum of all batches by the till's own reports. */
  reports: bigint;
  gateway: readonly GatewayPayment[];
  /** Negative for money taken from the merchant. */
  settled: readonly { sale: string; payment: string; minor: bigint }[];
  terminals: readonly TerminalBook[];
  /** The till's own result for the settlement file. */
  reconciled: { differences: string[]; refusedCount: number; matchedCount: number };
};

/**
 * Reads all books. The gateway is stopped for its settlement file; the till's own reconciliation needs it running
 * again.
 */
export const readBooks = async (
  shop: SaturdayShop,
  person: Person,
  { reconciles }: { reconciles: boolean },
): Promise<Books> => {
  const batches = await person.get<BatchRow[]>('batches');
  const gateway = await paymentsAt(shop);
  const till = await tillSales(person, batches);
  const { settled, files } = await settlement(shop);
  if (reconciles) await shop.gateway.start();
  return {
    till,
    reports: batches.flatMap(({ net }) => net).reduce((sum, { amount }) => sum + minorOf(amount), 0n),
    ...{ gateway, settled },
    terminals: shop.plan.counters.map((counter) => {
      const file = bookFile(shop.folders.terminals, counter.index);
      return {
        counter,
        ...(counter.protocol === 'zvt' ? { booked: bookedPaymentsIn(file) } : { signed: signaturesIn(file) }),
      };
    }),
    reconciled: await reconciled(person, reconciles ? files : []),
  };
};

type Cells = Record<string, string>;
const rowsOf = (text: string, delimiter = ','): Cells[] =>
  parse(text, { columns: true, bom: true, delimiter, relax_column_count: true }) as Cells[];

/** The tables of the batches have the movement of each sale. */
const tillSales = async (person: Person, batches: readonly BatchRow[]): Promise<TillSale[]> => {
  const movedByReceipt = new Map<number, bigint>();
  for (const { batch, terminalId } of batches) {
    const table = await person.text(`downloads/batch/csv?batch=${batch}&terminalId=${terminalId}`);
    for (const { receipt, moved: text = '' } of rowsOf(table)) {
      const minorBefore = movedByReceipt.get(Number(receipt));
      if (minorBefore !== undefined) throw new Error(`receipt ${receipt} is in two batches`);
      movedByReceipt.set(Number(receipt), minorOf(text));
    }
  }
  return rowsOf(await person.text('downloads/sales/csv')).map((cells) => {
    const { receipt, merchantTransactionId: sale = '', operation = '', terminalId = '', amount = '' } = cells;
    const { ending = '', reason = '', entryMode = '', followsReceipt } = cells;
    return {
      ...{ receipt: Number(receipt), sale, operation, terminalId, minor: minorOf(amount), ending, reason, entryMode },
      movedMinor: movedByReceipt.get(Number(receipt)) ?? 0n,
      follows: followsReceipt ? Number(followsReceipt) : undefined,
    };
  });
};

const PAGE = 500;
const DAY_MS = 86_400_000;
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

type PaymentBody = Cells & { result: { code: string } };

/** All payments of the gateway of yesterday, today and tomorrow, page by page. */
const paymentsAt = async ({ gateway, channel }: SaturdayShop): Promise<GatewayPayment[]> => {
  const payments: GatewayPayment[] = [];
  const [from, to] = [dayOf(Date.now() - DAY_MS), dayOf(Date.now() + DAY_MS)];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({
      ...{ entityId: channel.entityId, limit: String(PAGE), pageNo: String(page) },
      ...{ 'date.from': `${from} 00:00:00`, 'date.to': `${to} 00:00:00` },
    });
    const headers = { authorization: `Bearer ${channel.token}` };
    const answer = await fetch(new URL(`v3/query?${query}`, gateway.url), { headers });
    const { payments: bodies = [] } = (await answer.json()) as { payments?: PaymentBody[] };
    payments.push(...bodies.map(paymentOf));
    if (bodies.length < PAGE) return payments;
  }
};

const paymentOf = ({ result, ...body }: PaymentBody): GatewayPayment => ({
  payment: body['id'] ?? '',
  sale: body['merchantTransactionId'] ?? '',
  type: body['paymentType'] ?? '',
  minor: minorOf(body['amount'] ?? ''),
  isApproved: meaningOf(result.code) === 'approved',
  follows: body['referencedId'] || undefined,
});

type SettlementFile = { name: string; bytes: Uint8Array<ArrayBuffer> };

/** For today, and for yesterday if the day began before midnight. */
const settlement = async (shop: SaturdayShop): Promise<{ settled: Books['settled']; files: SettlementFile[] }> => {
  const { gateway, plan } = shop;
  const days = new Set([dayOf(Date.now() - 2 * plan.dayMs), dayOf(Date.now())]);
  await gateway.stop();
  const files: SettlementFile[] = [];
  for (const day of days) {
    const name = `settlement-${day}.csv`;
    const path = join(shop.folders.gateway, name);
    await settleDay(shop, { day, path });
    files.push({ name, bytes: new Uint8Array(readFileSync(path)) });
  }
  const settled = files
    .flatMap(({ bytes }) => rowsOf(Buffer.from(bytes).toString('utf8'), ';'))
    .flatMap(settledPaymentsOf);
  return { settled, files };
};

const settledPaymentsOf = (cells: Cells): Books['settled'][number][] => {
  const { ReconciliationType, Cashflow, Amount = '', TransactionId = '', UniqueID = '' } = cells;
  if (ReconciliationType !== 'SETTLED') return [];
  const minor = minorOf(Amount);
  return [{ sale: TransactionId, payment: UniqueID, minor: Cashflow === 'NEG' ? -minor : minor }];
};

const settleDay = ({ folders, channel, program }: SaturdayShop, { day, path }: { day: string; path: string }) => {
  const args = ['gateway', 'settlement', '--data', folders.gateway, '--entity', channel.entityId, '--date', day];
  const child = spawn(process.execPath, [program, ...args, '--out', path], {
    stdio: 'ignore',
  });
  return new Promise<void>((resolve, reject) => {
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`no settlement file: ${code}`))));
  });
};

const reconciled = async (person: Person, files: readonly SettlementFile[]): Promise<Books['reconciled']> => {
  const all: Books['reconciled'] = { differences: [], refusedCount: 0, matchedCount: 0 };
  for (const file of files) {
    const { status, body } = await person.upload('reconciliations', file);
    if (status !== 201) {
      all.differences.push(`${file.name} is refused: ${JSON.stringify(body)}`);
      continue;
    }
    const { findings, refusedCount, statuses } = body as ReconciliationDetail;
    all.refusedCount += refusedCount;
    all.matchedCount += statuses.MATCHED;
    for (const { receipt, till, gateway, settled: settledAmount, reasons } of findings) {
      const sums = `till ${till.amount}, gateway ${gateway?.amount ?? '-'}, settled ${settledAmount.amount}`;
      all.differences.push(`receipt ${receipt ?? '-'}: ${sums}: ${reasons.map(({ name }) => name).join(', ')}`);
    }
  }
  return all;
};
