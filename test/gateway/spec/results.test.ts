/** The prefix table of result codes compared with the catalogue: no row is unused, no decline without evidence. */
import { expect, test } from 'vitest';
import { codeGroups, codeRows } from '../../../src/base/result-codes.ts';
import catalogue from '../../../src/gateway/spec/result-codes.json' with { type: 'json' };
import { describe as describeCode, meaningOf, statusOf } from '../../../src/gateway/spec/results.ts';

test.each([
  ['000.000.000', 'approved', 200],
  ['000.100.110', 'approved', 200],
  ['000.100.112', 'approved', 200],
  ['000.400.000', 'approved', 200],
  ['000.400.030', 'unknown', 400],
  ['000.400.101', 'declined', 400],
  ['000.400.110', 'approved', 200],
  ['000.200.000', 'pending', 200],
  ['000.500.000', 'unknown', 400],
  ['100.100.101', 'refused', 400],
  ['100.100.303', 'refused', 400],
  ['100.100.701', 'declined', 400],
  ['100.396.103', 'declined', 400],
  ['100.400.500', 'pending', 200],
  ['200.300.404', 'refused', 400],
  ['300.100.100', 'declined', 400],
  ['700.400.200', 'refused', 400],
  ['700.400.580', 'refused', 400],
  ['800.100.155', 'declined', 400],
  ['800.110.100', 'unknown', 400],
  ['800.120.100', 'later', 400],
  ['800.400.500', 'pending', 200],
  ['800.900.300', 'refused', 403],
  ['900.100.300', 'unknown', 400],
  ['900.100.310', 'declined', 400],
  ['999.999.999', 'unknown', 400],
  ['123.456.789', 'unknown', 400],
  ['000.100.1', 'unknown', 400],
  ['800.100.155x', 'unknown', 400],
  ['', 'unknown', 400],
] as const)('%s means %s, status %i', (code, means, status) => {
  expect({ means: meaningOf(code), status: statusOf(code) }).toEqual({ means, status });
});

test('every row decides at least one code of the catalogue, and the last one takes the rest', () => {
  const decidingPrefix = (code: string) => codeRows.find(({ prefix }) => code.startsWith(prefix))?.prefix;
  const decided = new Set(Object.keys(catalogue).map(decidingPrefix));
  expect(codeRows.map(({ prefix }) => prefix).filter((prefix) => !decided.has(prefix))).toEqual([]);
  expect(codeRows.at(-1)).toEqual({ prefix: '', means: 'unknown' });
});

test('each approval begins with the prefix that database queries for approvals use', () => {
  const approvals = codeRows.filter(({ means }) => means === 'approved');
  expect(approvals.filter(({ prefix }) => !prefix.startsWith(codeGroups.successes))).toEqual([]);
});

/** What the spec's section 7 lists under HTTP 200, by the first digits. */
const answeredWith200 =
  /^(000\.(000|[236]\d\d)\.|000\.100\.[12]|000\.400\.0[^3]|000\.400\.1[012]0|100\.400\.500|800\.400\.5)/;

test('each code of the catalogue has the HTTP status of the spec', () => {
  const contradictedCodes = Object.keys(catalogue).filter((code) => {
    const listed = code === '800.900.300' ? 403 : answeredWith200.test(code) ? 200 : 400;
    return statusOf(code) !== listed;
  });
  expect(contradictedCodes).toEqual([]);
});

test('the catalogue has 607 codes, each once, in order, each with a description that fits the spec', () => {
  const codes = Object.keys(catalogue);
  expect(codes).toHaveLength(607);
  expect([...new Set(codes)].sort()).toEqual(codes);
  expect(codes.filter((code) => describeCode(code).length < 5 || describeCode(code).length > 255)).toEqual([]);
});
