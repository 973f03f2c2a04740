/** A scripted paper service: receipts as plain text, and a printer whose problem the test decides. */
import { completePrinterAddress } from '../../../../drivers/address.ts';
import type { PrinterState, ReceiptAsk } from '../../../../src/api/contract/paper.ts';
import type { PaperPort } from '../../../../src/api/ports/paper.ts';
import type { Fault } from '../../../../src/base/fault.ts';

export type ScriptedPaper = PaperPort & {
  /** What was printed, oldest first. */
  readonly printed: { receipt: number; ask: ReceiptAsk }[];
  /** Printers that were added, each at an address that the till accepts. */
  readonly added: Parameters<PaperPort['addPrinter']>[0][];
  /** Thrown by the next print. */
  fault: Fault | undefined;
};

const printer: PrinterState = {
  name: 'Counter',
  address: 'tcp://127.0.0.1:9100',
  width: 80,
  state: 'ready',
  drawer: true,
  waiting: 0,
};

/** The stage's till is in test mode. */
const MARK = '********* TEST - NO MONEY MOVED **********';

const lines = (receipt: number, { copy, duplicate }: ReceiptAsk): string =>
  [
    MARK,
    '             NORDWIND BAKERY',
    '          Harbour Street 4, Kiel',
    '------------------------------------------',
    `TERMINAL 12345678        RECEIPT    ${String(receipt).padStart(6, '0')}`,
    'MERCHANT 4711            BATCH          31',
    '------------------------------------------',
    'SALE                             12.50 EUR',
    'VISA DEBIT              ************4321',
    'CHIP                      PIN VERIFIED',
    'AUTH 831742           TRACE       000417',
    '------------------------------------------',
    '                APPROVED',
    duplicate ? '               DUPLICATE' : '',
    copy === 'merchant' ? '             MERCHANT COPY' : '             CUSTOMER COPY',
    '      Card slip - not a tax receipt',
    MARK,
  ].join('\n');

export const scriptedPaper = (): ScriptedPaper => {
  const service: ScriptedPaper = {
    printed: [],
    added: [],
    fault: undefined,
    receipt: async (receipt, _form, ask) => ({
      type: 'text/plain; charset=utf-8',
      name: `receipt-${receipt}.txt`,
      body: lines(receipt, ask),
    }),
    outcome() {
      throw new Error('no screen asks for it');
    },
    printers: async () => [printer],
    async print(receipt, ask) {
      const { fault } = service;
      service.fault = undefined;
      if (fault !== undefined) throw fault;
      service.printed.push({ receipt, ask });
      return printer;
    },
    printReport: async () => printer,
    openDrawer: async () => printer,
    async addPrinter(added) {
      const address = completePrinterAddress(added.address);
      service.added.push({ ...added, address });
      return { ...printer, ...added, address };
    },
    removePrinter() {},
    testPage: async () => printer,
  };
  return service;
};
