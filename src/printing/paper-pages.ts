/** Papers that are no receipts: the page that shows what a printer can do, and the drawer's pulse. */
import { dateTime } from '../base/clock.ts';
import type { PrinterConfig } from '../folder/paper-config.ts';
import { blank, centre, large, pair, type Row, rule } from '../receipt/rows.ts';
import { safeText } from '../receipt/safe-text.ts';

export { drawerPulse as drawerBytes } from '../receipt/escpos.ts';

/** What a person compares with what came out: each edge, each size, letters of the store's languages, a code. */
export const testRows = (printer: PrinterConfig, { at, logo }: { at: number; logo: boolean }): Row[] => [
  ...(logo ? [{ kind: 'logo' } as const] : []),
  large('TEST PAGE'),
  centre(safeText(printer.name)),
  rule,
  pair('ADDRESS', safeText(printer.address)),
  pair('PAPER', `${printer.width} mm`),
  pair('LETTERS', printer.codePage ?? 'cp437'),
  pair('DRAWER', printer.drawer === true ? 'yes' : 'no'),
  pair('PRINTED (UTC)', dateTime(at)),
  rule,
  pair('left edge', 'right edge'),
  { kind: 'pair', left: 'LARGE', right: '1234567.89', large: true },
  centre('ÄÖÜ äöü ß éèê ç ñ å ø'),
  centre('Žluťoučký kůň  Łódź  Şişli'),
  centre('Ωμέγα  Привет  مرحبا  日本  한국'),
  rule,
  centre('Each line above is to be readable,'),
  centre('and both edges are to be whole.'),
  blank,
  { kind: 'code', code: 'TEST', caption: 'A scanner reads TEST' },
];
