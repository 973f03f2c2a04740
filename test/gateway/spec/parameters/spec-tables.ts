/** The parameter tables of the host API's specification, parsed from its text into names, Req and formats. */
import { readFileSync } from 'node:fs';

export type SpecRow = { name: string; req: string; format: string };

const SCHEMES = ['visa', 'mastercard', 'amex', 'diners', 'jcb', 'cartebancaire'];
const WALLETS: Readonly<Record<string, string>> = { walletA: 'applePay', walletB: 'googlePay', walletC: 'samsungPay' };

/** Rows by the number of their section, `2.5`: sections 2.2 to 2.34. */
export const specTables = (): ReadonlyMap<string, readonly SpecRow[]> => {
  const text = readFileSync(new URL('../../../vectors/host-api.md', import.meta.url), 'utf8');
  const parts = text.split(/^#{2,3} /m).map((part) => [/^2\.\d+(?= )/.exec(part)?.[0] ?? '', part] as const);
  return new Map(
    parts
      .filter(([number]) => number !== '' && Number(number.slice(2)) >= 2 && Number(number.slice(2)) <= 34)
      .map(([number, part]) => [number, rowsOf(part)]),
  );
};

/** The rows of a section's tables; their headers give a prefix, and whether there is a Req column. */
const rowsOf = (section: string): SpecRow[] => {
  const rows: SpecRow[] = [];
  let headCells: readonly string[] = [];
  for (const line of section.split('\n')) {
    const cells = line.startsWith('| ') ? line.slice(2).split(' | ') : [];
    const [names = '', second = '', third = ''] = cells.map((cell) => cell.replace(/ \|$/, ''));
    if (names.startsWith('Parameter')) headCells = cells;
    else if (cells.length > 1) {
      const [, prefix = ''] = /\((.*)\.X\)/.exec(headCells[0] ?? '') ?? [];
      // The airline table has no Req column: "All fields are conditional."
      const [req, format] = headCells[1] === 'Req' ? [second, third] : ['C', second];
      rows.push(...namesOf(names, prefix).map((name) => ({ name, req: reqOf(req), format })));
    }
  }
  return rows;
};

/** "R (token way)" is required in one of two cases, so not in every request with the structure. */
const reqOf = (cell: string): string => (/^R \(.* way\)$/.test(cell) ? 'C' : cell);

/** `merchant.billing.givenName, .surname` and the other ways in which one cell contains many names. */
const namesOf = (cell: string, prefix: string): string[] => {
  // A header and the rows of answers are not request parameters.
  if (cell === 'Authorization' || cell.endsWith('(response)')) return [];
  const [first = '', ...otherNames] = cell.replace(/\.\.\.(?=legs)/, 'airline.passengers[n].').split(', ');
  const path = first.slice(0, first.lastIndexOf('.') + 1);
  const names = [first, ...otherNames.map((name) => `${name.includes('.', 1) ? '' : path}${name.replace(/^\./, '')}`)];
  return names
    .map((name) => (prefix === '' ? name : `${prefix}.${name}`))
    .map((name) =>
      name.replace(/\[(?:name|brand)\]/, '[key]').replace(/^wallet[ABC]/, (wallet) => WALLETS[wallet] ?? ''),
    )
    .flatMap((name) =>
      name.includes('<scheme>') ? SCHEMES.map((scheme) => name.replace('<scheme>', scheme)) : [name],
    );
};
