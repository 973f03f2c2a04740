/** The contract of integrated terminals, for every driver in each of its forms. */
import { describe, expect, test } from 'vitest';
import { zvtDriver } from '../../drivers/zvt/driver/driver.ts';
import type { ZvtFraming } from '../../drivers/zvt/protocol/trace.ts';
import { zvtSimulatorOf } from '../../drivers/zvt/simulator/simulator.ts';
import { customer, type Integrated, openShop, sale } from './integrated-terminal.ts';
import { integratedContract } from './integrated-terminal-cases.ts';
import { zvtCodes } from './zvt-codes.ts';

const zvt = (form: ZvtFraming): Integrated => ({
  driver: zvtDriver({ form }),
  model: zvtSimulatorOf({ form }),
  modelName: 'SIMULATED ZVT',
  hello: 2,
  saleMessages: [5, 6, 7, 8, 9, 10],
  codes: zvtCodes,
});

const kinds: Readonly<Record<string, Integrated>> = {
  'zvt, serial frames': zvt('serial'),
  'zvt, bare APDUs': zvt('apdu'),
};

describe.each(Object.entries(kinds))('%s', (_, kind) => {
  integratedContract(kind);

  test('receipts are masked, and the payment is as the terminal reports it', async () => {
    const bench = openShop(kind, [customer]);
    const terminal = await bench.open();
    const outcome = await bench.clock.until(terminal.pay(sale, () => {}));
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    expect(outcome.payment).toMatchObject({
      receiptNumber: '0001',
      traceNumber: '000001',
      aid: 'A0000000031010',
      cardName: 'VISA CREDIT',
      maskedPan: '************0143',
      verification: 'none',
    });
    expect(outcome.customerLines.join('\n')).toContain('CUSTOMER RECEIPT');
    expect(outcome.merchantLines.join('\n')).toContain('MERCHANT RECEIPT');
  });
});
