/** X and Z reports for 58 and 80 mm paper. */

import type { Row } from '../receipt/rows.ts';
import { safeFreeText, slipLines } from '../receipt/safe-text.ts';
import { receiptText, type Width } from '../receipt/text.ts';
import type { Override } from '../reconciliation/batches.ts';
import type { Counted, CurrencyReport, Report } from '../reconciliation/report.ts';
import type { TerminalDay, ZReport } from '../reconciliation/z-report.ts';
import type { XReport } from './books.ts';
import type { Config } from './config.ts';

const rule: Row = { kind: 'rule' };
const pair = (left: string, right: string): Row => ({ kind: 'pair', left, right });
const centre = (text: string): Row => ({ kind: 'centre', text });
const heading = (text: string): Row => ({ kind: 'plain', text });

export const xLines = (x: XReport, config: Config, width: Width): string[] =>
  receiptText(
    [
      ...head(config, `X REPORT ${x.number}`),
      ...batchRows(x),
      pair('OPENED', x.openedAt),
      pair('PRINTED', x.at),
      ...reportRows(x.report),
      rule,
      centre('The batch stays open.'),
    ],
    width,
  );

export const zLines = (z: ZReport, config: Config, width: Width): string[] =>
  receiptText([...zHead(z, config), ...zRows(z)], width);

/** Printed again: the same but for one word. */
export const zCopyLines = (z: ZReport, config: Config, width: Width): string[] =>
  receiptText([...zHead(z, config), centre('DUPLICATE'), ...zRows(z)], width);

const zHead = (z: ZReport, config: Config): Row[] => head(config, `Z REPORT ${z.number}`);

const zRows = (z: ZReport): Row[] => [
  ...batchRows(z),
  pair('OPENED', z.openedAt),
  pair('CLOSED', z.closedAt),
  ...reportRows(z.report),
  ...gatewayRows(z),
  ...terminalRows(z),
  ...unbalancedRows(z),
  ...openRows(z),
  ...settledRows(z),
  rule,
  heading('PREVIOUS'),
  ...hashRows(z.previous),
  heading('THIS REPORT'),
  ...hashRows(z.hash),
];

const head = ({ merchant }: Config, title: string): Row[] => [
  centre(safeFreeText(merchant.name)),
  { kind: 'blank' },
  { kind: 'centre', text: title, large: true },
  { kind: 'blank' },
];

const batchRows = ({ terminalId, batch, day }: Pick<ZReport, 'terminalId' | 'batch' | 'day'>): Row[] => [
  pair('TERMINAL', terminalId),
  pair('BATCH', String(batch)),
  pair('BUSINESS DAY', day.date),
  ...(day.trusted ? [] : [{ kind: 'plain', text: 'Day by the till’s own clock' } as const]),
];

const reportRows = ({ sales, receipts, currencies }: Report): Row[] => [
  pair('ENTRIES', String(sales)),
  ...(receipts ? [pair('RECEIPTS', `${number(receipts.first)}-${number(receipts.last)}`)] : []),
  ...currencies.flatMap(currencyRows),
];

const number = (receipt: number): string => String(receipt).padStart(6, '0');

const currencyRows = (report: CurrencyReport): Row[] => [
  rule,
  { kind: 'pair', left: `NET ${report.currency}`, right: report.net, large: true },
  ...table('OPERATIONS', report.operations),
  ...table('BRANDS', report.brands),
  ...table('ENTRY MODES', report.entryModes),
  ...table('CASHIERS', report.cashiers),
  rule,
  ...[report.tips, report.refunds, report.voids].map(counted),
  ...[report.offline, report.declined, report.notSent, report.unknown].map(counted),
  ...report.places.flatMap(({ account, intended, beyond, buckets }) => [
    rule,
    pair(`${account.toUpperCase()} INTENDED`, intended),
    ...(Number(beyond) === 0 ? [] : [pair('  moved beyond it', beyond)]),
    ...Object.entries(buckets).map(([name, sum]) => pair(`  ${places[name] ?? name}`, sum)),
  ]),
];

const places: Readonly<Record<string, string>> = { notSent: 'not sent' };

const names: Readonly<Record<string, string>> = {
  notSent: 'NOT SENT',
  preauthorisation: 'PREAUTHORISED',
  offline: 'OFFLINE',
};

const counted = ({ name, count, sum }: Counted): Row =>
  pair(`${String(count).padStart(4)} ${safeFreeText(names[name] ?? name.toUpperCase())}`, sum);

const table = (title: string, rows: readonly Counted[]): Row[] =>
  rows.length === 0 ? [] : [rule, heading(title), ...rows.map(counted)];

const gatewayRows = ({ brands, differences }: ZReport): Row[] =>
  brands.length === 0
    ? []
    : [
        rule,
        heading('TILL AND GATEWAY'),
        ...brands.flatMap(({ brand, currency, till, gateway, differing }) => [
          pair(`${brand} ${currency}`, differing === 0 ? 'agrees' : `${differing} DIFFER`),
          pair('  till', till),
          pair('  gateway', gateway),
        ]),
        ...differences.flatMap(({ receipt, till, gateway, why }) => [
          heading(`RECEIPT ${number(receipt)} DIFFERS`),
          pair('  till', till),
          pair('  gateway', gateway),
          heading(`  ${safeFreeText(why)}`),
        ]),
      ];

const terminalRows = ({ terminal }: ZReport): Row[] =>
  terminal === undefined
    ? []
    : [
        rule,
        heading('TERMINAL’S OWN END OF DAY'),
        pair('TILL', terminal.till),
        ...comparedWords(terminal).map(heading),
        ...slipLines(terminal.lines).map((text): Row => ({ kind: 'plain', text })),
      ];

const comparedWords = ({ agrees, askedAgain }: TerminalDay): string[] => {
  if (agrees) return ['The same sum stands below.'];
  if (askedAgain !== true) return ['That sum does not stand below: compare by hand.'];
  return ['Its first answer was lost, and it was asked again: what stands below may be an empty day. Not compared.'];
};

const unbalancedRows = ({ unbalanced = [] }: ZReport): Row[] =>
  unbalanced.length === 0
    ? []
    : [
        rule,
        heading('GIVEN BACK BEYOND THE SALE'),
        ...unbalanced.map(({ receipt, amount }) => pair(number(receipt), amount)),
      ];

const openRows = ({ open, override }: ZReport): Row[] =>
  open.length === 0 && override === undefined
    ? []
    : [
        rule,
        heading('CLOSED WITH OPEN MONEY'),
        ...open.flatMap(({ receipt, amount, why }) => [
          pair(number(receipt), amount),
          heading(`  ${safeFreeText(why)}`),
        ]),
        ...(override ? overrideRows(override) : []),
      ];

const overrideRows = ({ by, reason, signature }: Pick<Override, 'by' | 'reason' | 'signature'>): Row[] => [
  pair('OVERRIDDEN BY', safeFreeText(by)),
  pair('REASON', safeFreeText(reason)),
  pair('SIGNATURE', `${signature.slice(0, 16)}…`),
];

const settledRows = ({ settled }: ZReport): Row[] =>
  settled.length === 0
    ? []
    : [
        rule,
        heading('SETTLED SINCE EARLIER Z REPORTS'),
        ...settled.flatMap(({ receipt, batch, amount, place }) => [
          pair(`${number(receipt)} of batch ${batch}`, amount),
          heading(`  ${place}`),
        ]),
      ];

const hashRows = (hash: string): Row[] => [centre(hash.slice(0, 32)), centre(hash.slice(32))];
