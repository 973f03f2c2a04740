/** A till that `npm start` serves, of this version or another, and a client that sells at it over its API. */
import { expect } from 'vitest';
import type { ClosingState, OpenItem } from '../../src/api/contract/books.ts';
import type { LiveSale, SaleRow } from '../../src/api/contract/sales.ts';
import { visitor } from '../support/servers/visitor.ts';
import { type End, screensOf, tillgate } from './processes.ts';

/** `of`: the command line program of another version. */
export const serveAt = async (dataDir: string, of?: string) => {
  const till = tillgate(['start', '--data', dataDir, '--port', '0', '--no-open-browser'], [], of);
  const { url, code } = await screensOf(till);
  const client = await visitor((path, request) => fetch(new URL(path, url), request), code);
  /** The last sale, once it has ended and its terminal is free again. */
  const saleOf = async (answer: { status: number; code?: string }): Promise<SaleRow> => {
    expect(answer).toEqual({ status: 201 });
    const [{ id }] = await sales();
    while (!(await client.get<LiveSale>(`live/${id}`)).terminalFree);
    const [sale] = await sales();
    return sale;
  };
  const sales = async (): Promise<[SaleRow, ...SaleRow[]]> => {
    const [last, ...others] = (await client.get<{ rows: SaleRow[] }>('sales')).rows;
    if (last === undefined) throw new Error('nothing was sold');
    return [last, ...others];
  };
  let keys = 0;
  const key = (): string => {
    keys += 1;
    return `sale-${new URL(url).port}-${keys}`;
  };
  return {
    till,
    ...client,
    sales,
    sell: async (amount: string) => saleOf(await client.post('sales', { amount: { amount, currency: 'EUR' } }, key())),
    follow: (receipt: number, operation: 'refund' | 'void' | 'completion') =>
      client.post(`sales/${receipt}/${operation}`, {}, key()),
    refund: async (receipt: number) => saleOf(await client.post(`sales/${receipt}/refund`, {}, key())),
    closing: () => client.get<ClosingState>('closing'),
    openItems: () => client.get<OpenItem[]>('open-items'),
    async stop(): Promise<End> {
      till.child.kill('SIGTERM');
      return till.ended;
    },
  };
};

export type ServedTill = Awaited<ReturnType<typeof serveAt>>;

/** The names of the checks that block a close. */
export const unmetChecks = ({ checks }: ClosingState): string[] => checks.flatMap(({ what, ok }) => (ok ? [] : [what]));
