/** The offline part of till.json: its meaning, the meaning of older versions, how it is changed and how it is shown. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { firstOffline, type OfflineConfig, offlineLimitsOf } from '../../src/folder/offline-config.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { changeLimits, limitNames, withLimit } from '../../src/offline/change.ts';
import type { OfflineReadiness } from '../../src/offline/decision.ts';
import { judge } from '../../src/offline/recent-cards.ts';
import { offlineReport } from '../../src/offline/report.ts';
import {
  defaultOfflineLimits,
  isOfflineOn,
  kindOff,
  noExposure,
  noKindExposure,
} from '../../src/till/offline/limits.ts';
import { offlineLeft } from '../../src/till/offline/verdict.ts';
import { openJournalUnsynced } from '../support/disk/unsynced-sql.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'limits-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'till.json');
/** Reads a till.json with this offline part. */
const writeLimits = (offline: unknown) => {
  const config = loadConfig(folder, systemIds);
  writeFileSync(file(), JSON.stringify({ ...config, offline }));
  return () => loadConfig(folder, systemIds).offline;
};

const offKind = { upTo: '0.00' };

/** The report of a till at which no card has been read. */
const reportOf = (readiness: OfflineReadiness) => offlineReport(readiness, judge([], readiness));

describe('the meaning of till.json', () => {
  test('a new till.json allows nothing', () => {
    const limits = offlineLimitsOf(loadConfig(folder, systemIds).offline, 'EUR');
    expect(limits).toEqual(defaultOfflineLimits);
    expect(isOfflineOn(limits)).toBe(false);
  });

  test('an old till.json with four limits keeps its meaning', () => {
    const read = writeLimits({ chipUpTo: '50.00', deferredUpTo: '20.00', total: '500.00', count: 50 });
    expect(offlineLimitsOf(read(), 'EUR')).toEqual({
      ...defaultOfflineLimits,
      chip: { ...kindOff, upToMinor: 5_000n },
      deferred: { ...kindOff, upToMinor: 2_000n },
      together: { minor: 50_000n, count: 50 },
      withoutDataAuthentication: true,
    });
  });

  test('each limit has its key', () => {
    const read = writeLimits({
      chip: {
        upTo: '50.00',
        total: '400.00',
        count: 40,
        perCard: { total: '100.00', count: 2 },
        perCashier: { count: 9 },
        perHour: { total: '200.00' },
        perDay: { count: 99 },
        brands: { MAESTRO: { upTo: '0.00' }, other: { total: '10.00' } },
        cardTypes: { prepaid: { upTo: '5.00' } },
        entryModes: { NFC_ICC: { upTo: '25.00', count: 3 } },
      },
      deferred: offKind,
      hours: 0.5,
      keepFreeMegabytes: 1,
      operations: ['sale'],
      refunds: { upTo: '20.00', total: '60.00', count: 3 },
    });
    expect(offlineLimitsOf(read(), 'EUR')).toEqual({
      currency: 'EUR',
      chip: {
        upToMinor: 5_000n,
        total: { minor: 40_000n, count: 40 },
        perCard: { minor: 10_000n, count: 2 },
        perCashier: { count: 9 },
        perHour: { minor: 20_000n },
        perDay: { count: 99 },
        brands: { MAESTRO: { upToMinor: 0n }, other: { minor: 1_000n } },
        cardTypes: { prepaid: { upToMinor: 500n } },
        entryModes: { NFC_ICC: { upToMinor: 2_500n, count: 3 } },
      },
      deferred: kindOff,
      together: {},
      operations: ['sale'],
      refunds: { upToMinor: 2_000n, minor: 6_000n, count: 3 },
      windowMs: 1_800_000,
      keepFreeBytes: 1_048_576,
      withoutDataAuthentication: false,
    });
  });

  test.each([
    ['an amount without cents', { chip: { upTo: '50' }, deferred: offKind }, /offline\.chip\.upTo: must be an amount/],
    ['half of an older format', { chipUpTo: '50.00', total: '1.00', count: 1 }, /offline\.deferredUpTo/],
    ['the older and the newer format together', { chipUpTo: '50.00', chip: offKind }, /offline/],
  ])('the key of %s is named in the refusal', (_, offline, pattern) => expect(writeLimits(offline)).toThrow(pattern));
});

describe('changing it', () => {
  test.each([
    ['chip.upTo', '50.00', { chip: { upTo: '50.00' }, deferred: offKind }],
    ['chip.upTo', '50', { chip: { upTo: '50.00' }, deferred: offKind }],
    ['count', '7', { ...firstOffline, count: 7 }],
    ['hours', '0.5', { ...firstOffline, hours: 0.5 }],
    [
      'chip.brands.VISA.upTo',
      '1.00',
      { chip: { upTo: '0.00', brands: { VISA: { upTo: '1.00' } } }, deferred: offKind },
    ],
    ['refunds.count', '2', { ...firstOffline, refunds: { upTo: '0.00', count: 2 } }],
    ['operations', 'sale, void', { ...firstOffline, operations: ['sale', 'void'] }],
    ['withoutDataAuthentication', 'yes', { ...firstOffline, withoutDataAuthentication: true }],
    ['chip.perHour', 'none', firstOffline],
  ])('%s %s', (key, value, offline) => expect(withLimit(firstOffline, key, value)).toEqual(offline));

  test.each(['', 'chip..upTo', '__proto__.x', 'chip.constructor', 'a b'])('"%s" is not the name of a limit', (key) =>
    expect(() => withLimit(firstOffline, key, '1')).toThrow(/is not the name of a limit/),
  );

  test('every listed name can be set', () => {
    const names = limitNames().flatMap((name) => {
      const [, path, fields = '', chosen = ''] = /^(.*)\.NAME\.\((.*)\), NAME one of (\S+)/.exec(name) ?? [];
      return path === undefined ? [name] : fields.split(' ').map((field) => `${path}.${chosen}.${field}`);
    });
    expect(names.length).toBeGreaterThan(40);
    const { journal, change } = journaledChanges();
    for (const name of names) {
      const value = name === 'operations' ? 'sale' : name === 'withoutDataAuthentication' ? 'no' : '1';
      change((offline) => withLimit(offline, name, value));
    }
    journal.close();
  });

  const journaledChanges = (by?: string) => {
    loadConfig(folder, systemIds);
    const journal: Journal = openJournalUnsynced(join(folder, 'journal.db'), virtualClock());
    return {
      journal,
      change: (how: (offline: OfflineConfig) => unknown) => changeLimits({ folder, journal, by }, how),
    };
  };

  test('the journal says who changed the limits, before and after; till.json has the new limits', () => {
    loadConfig(folder, systemIds);
    const { journal, change } = journaledChanges('Ada');
    const after = change((offline) => withLimit(offline, 'chip.upTo', '50.00'));
    expect(loadConfig(folder, systemIds).offline).toEqual(after);
    const [entry] = journal.about('limits');
    expect(JSON.parse(entry?.body ?? '')).toEqual({ on: 'limitsChanged', by: 'Ada', before: firstOffline, after });
    journal.close();
  });

  test('an invalid limit changes neither', () => {
    loadConfig(folder, systemIds);
    const before = readFileSync(file(), 'utf8');
    const { journal, change } = journaledChanges();
    expect(() => change((offline) => withLimit(offline, 'chip.upTo', 'much'))).toThrow(/chip\.upTo: must be an amount/);
    expect(() => change((offline) => withLimit(offline, 'chip.upTo', 'none'))).toThrow(/chip\.upTo/);
    expect([journal.length, readFileSync(file(), 'utf8')]).toEqual([0, before]);
    journal.close();
  });
});

describe('showing it', () => {
  const limits = offlineLimitsOf(
    {
      chip: {
        upTo: '50.00',
        perHour: { total: '100.00', count: 5 },
        perCard: { count: 2 },
        brands: { VISA: { upTo: '9.00' } },
      },
      deferred: offKind,
      count: 3,
      hours: 24,
    },
    'EUR',
  );
  const hour = { minor: 2_500n, count: 2 };
  const exposure = { ...noExposure, chip: { ...noKindExposure, total: { minor: 1_000n, count: 1 }, hour } };
  const moment = { sinceAnswer: { ms: 3_600_000 }, freeBytes: 100 * 1024 * 1024 };
  const request = { operation: 'sale', amount: { minor: 1n, currency: 'EUR' } } as const;
  const left = offlineLeft(request, { limits, exposure, moment });

  test('shows what is set, used and left', () => {
    const of = 'approved by the chip';
    expect(reportOf({ objection: undefined, limits, exposure, moment, left })).toEqual({
      ready: true,
      cards: { seen: 0, taken: 0 },
      rows: [
        { of, limit: 'one sale', most: '50.00 EUR' },
        {
          of,
          limit: 'in the last hour',
          most: '100.00 EUR, 5 sales',
          used: '25.00 EUR, 2 sales',
          left: '75.00 EUR, 3 sales',
        },
        { of, limit: 'waiting, of one card', most: '2 sales' },
        { of, limit: 'one sale, VISA', most: '9.00 EUR' },
        { of: 'authorised later', limit: 'one sale', most: 'off' },
        { of: 'both together', limit: 'all that waits', most: '3 sales', used: '10.00 EUR, 1 sale', left: '2 sales' },
        { of: 'refunds that wait', limit: 'one refund', most: 'off' },
        { of: 'the till', limit: 'time without the gateway', most: '1 d 0 h', used: '1 h 0 min', left: '23 h 0 min' },
        { of: 'the till', limit: 'kept free on the disk', most: '64 MB', left: '36 MB' },
      ],
    });
  });

  test('a limit that is used up, or lowered below the outstanding amount, has nothing left', () => {
    const overdrawn = { minor: 10_001n, count: 7 };
    const full = { minor: 10_000n, count: 5 };
    const rowsOf = (used: typeof full) => {
      const exposure = { ...noExposure, chip: { ...noKindExposure, total: used, hour: used }, refunds: used };
      const moment = { sinceAnswer: { ms: 25 * 3_600_000 }, freeBytes: 0 };
      const refunds = { upToMinor: 100n, minor: 10_000n, count: 5 };
      const set = { ...limits, refunds, together: { minor: 10_000n, count: 5 } };
      const left = offlineLeft(request, { limits: set, exposure, moment });
      const { rows } = reportOf({ objection: undefined, limits: set, exposure, moment, left });
      return rows.filter((row) => row.left !== undefined).map((row) => [row.of, row.limit, row.left]);
    };
    const noneTaken = '0.00 EUR, 0 sales';
    const rows = [
      ['approved by the chip', 'in the last hour', noneTaken],
      ['both together', 'all that waits', noneTaken],
      ['refunds that wait', 'all that waits', noneTaken],
      ['the till', 'time without the gateway', '0 min'],
      ['the till', 'kept free on the disk', '0 MB'],
    ];
    expect(rowsOf(full)).toEqual(rows);
    expect(rowsOf(overdrawn)).toEqual(rows);
  });

  test('shows why not, with the code', () => {
    const objection = { code: 'together', why: '3 offline sales already wait to be sent' } as const;
    expect(reportOf({ objection, limits, exposure, moment, left })).toMatchObject({ ready: false, ...objection });
  });
});
