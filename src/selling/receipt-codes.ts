/**
 * The receipt that a scanned code means. Papers and screens bear a sale's own id, which is of one sale for ever.
 * Screens of earlier versions, and people, write a terminal's number with a receipt's: other tills count their
 * receipts too, so the terminal's number decides.
 */
import { Fault } from '../base/fault.ts';
import type { Sql } from '../journal/sql.ts';
import type { SellingTill } from './port.ts';

/** Throws `receipt.elsewhere`, `receipt.unknown`, `till.notFound`. */
export const receiptOfCode = (
  { journal: { sql }, config }: Pick<SellingTill, 'journal' | 'config'>,
  code: string,
): number => {
  const [, terminalId, digits] = /^([0-9A-Za-z]{1,32})-(\d{1,9})$/.exec(code) ?? [];
  if (terminalId !== undefined) return numbered(sql, config, { terminalId, receipt: Number(digits) });
  const found = sql.get('SELECT receipt FROM sale WHERE sale = ?', code.toLowerCase());
  if (found === undefined) throw new Fault('receipt.unknown', { terminalId: config.terminalId });
  return Number(found['receipt']);
};

type Numbered = { terminalId: string; receipt: number };

const numbered = (
  sql: Sql,
  { terminalId: first, terminals = [] }: SellingTill['config'],
  { terminalId, receipt }: Numbered,
): number => {
  const others = terminals.map((one) => one.terminalId);
  const takenAt = sql.get('SELECT terminal_id FROM sale WHERE receipt = ?', receipt)?.['terminal_id'];
  if (takenAt === terminalId) return receipt;
  // Screens of earlier versions wrote the till's first terminal, whichever of its terminals took the sale.
  if (terminalId === first && others.some((one) => one === takenAt)) return receipt;
  if (takenAt === undefined && [first, ...others].includes(terminalId)) throw new Fault('till.notFound', { receipt });
  throw new Fault('receipt.elsewhere', { receipt: String(receipt).padStart(6, '0'), terminalId });
};
