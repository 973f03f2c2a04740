/** A split bill whose middle part cannot be recorded: what was paid before it is still printed. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atOwnTill } from '../../src/cli/front-door.ts';
import { sellSplit } from '../../src/cli/selling/sell.ts';
import type { FullLedger } from '../../src/ledger/ledger.ts';
import { openShop, type Shop } from '../app/shop.ts';
import { diskFull, eur } from '../support/till/till-rig.ts';

let shop: Shop;
let printed = '';
const { exitCode } = process;
beforeEach(() => {
  shop = openShop();
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = exitCode;
  shop.remove();
});

/** The disk is full from the second card's approval on. */
const fullAtTheSecond = (ledger: FullLedger): FullLedger => {
  let approvals = 0;
  return {
    ...ledger,
    record(sale, event, message) {
      if (event.on === 'hostApproved') approvals += 1;
      if (approvals > 1) throw diskFull();
      ledger.record(sale, event, message);
    },
    recordAll(entries) {
      if (approvals > 1) throw diskFull();
      ledger.recordAll(entries);
    },
  };
};

test('the result has the earlier parts, the sum without a result, and what is left', async () => {
  const amounts = [eur(600n), eur(300n), eur(100n)];
  const flags = { data: shop.folder, json: true, accept: '' } as const;
  await atOwnTill(shop.options({ ledger: fullAtTheSecond }), {
    flags: { data: '' },
    work: (session) => sellSplit(session, { flags, accept: ['chip'], total: eur(1_000n), amounts }),
  });
  const output = JSON.parse(printed);
  expect(output.mode).toBe('test');
  expect(output.fault).toMatchObject({ code: 'till.unrecorded' });
  expect(output.legs.map(({ ending }: { ending: string }) => ending)).toEqual(['approved']);
  expect(output.bill).toMatchObject({ paid: '6.00', unknown: '3.00', left: '1.00', total: '10.00' });
  expect(process.exitCode).not.toBe(0);
});
