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
  const somebody = await visitor((path, request) => fetch(new URL(path, url), request), code);
  /** The last sale, once it has ended and its terminal is free again. */
  const done = async (answer: { status: number; code?: string }): Promise<SaleRow> => {
    expect(answer).toEqual({ status: 201 });
    const [{ id }] = await sales();
    while (!(await somebody.get<LiveSale>(`live/${id}`)).terminalFree);
    const [sale] = await sales();
    return sale;
  };
  const sales = async (): Promise<[SaleRow, ...SaleRow[]]> => {
    const [last, ...earlier] = (await somebody.get<{ rows: SaleRow[] }>('sales')).rows;
    if (last === undefined) throw new Error('nothing was sold');
    return [last, ...earlier];
  };
  let keys = 0;
  const key = (): string => {
    keys += 1;
    return `sale-${new URL(url).port}-${keys}`;
  };
  return {
    till,
    ...somebody,
    sales,
    sell: async (amount: string) => done(await somebody.post('sales', { amount: { amount, currency: 'EUR' } }, key())),
    follow: (receipt: number, operation: 'refund' | 'void' | 'completion') =>
      somebody.post(`sales/${receipt}/${operation}`, {}, key()),
    refund: async (receipt: number) => done(await somebody.post(`sales/${receipt}/refund`, {}, key())),
    closing: () => somebody.get<ClosingState>('closing'),
    openItems: () => somebody.get<OpenItem[]>('open-items'),
    async stop(): Promise<End> {
      till.child.kill('SIGTERM');
      return till.ended;
    },
  };
};

export type ServedTill = Awaited<ReturnType<typeof serveAt>>;

/** The names of the checks that block a close. */
export const unmet = ({ checks }: ClosingState): string[] => checks.flatMap(({ what, ok }) => (ok ? [] : [what]));
