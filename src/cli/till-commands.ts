/** Every action of the till, as a command of its own. */
import type { Command } from 'commander';
import { addBatch } from './batch-command.ts';
import { addBoot } from './boot-command.ts';
import { addComplete } from './complete-command.ts';
import { addCredit } from './credit-command.ts';
import { addDiagnose } from './diagnose-command.ts';
import { addGift } from './gift-command.ts';
import { addGoLive } from './go-live-command.ts';
import { addIncrement } from './increment-command.ts';
import { addJournal } from './journal-command.ts';
import { addLimits } from './limits-command.ts';
import { addMachine } from './machine-command.ts';
import { addOpen } from './open-command.ts';
import { addPair, addUnpair } from './pair-command.ts';
import { addPlainHttp } from './plain-http-command.ts';
import { addPosKey } from './pos-key-command.ts';
import { addPreauth } from './preauth-command.ts';
import { addPreauths } from './preauths-command.ts';
import { addPrinters } from './printer-command.ts';
import { addQueue } from './queue-command.ts';
import { addReceipt } from './receipt-command.ts';
import { addRefund } from './refund-command.ts';
import { addRelease } from './release-command.ts';
import { addResolve, addSettle } from './resolve-command.ts';
import { addSales } from './sales-command.ts';
import { addSell } from './sell.ts';
import { addStaff } from './staff-command.ts';
import { addStop } from './stop-command.ts';
import { addTerminals } from './terminals-command.ts';
import { addTestHost } from './test-host-command.ts';
import { addTip } from './tip-command.ts';
import { addTrace } from './trace-command.ts';
import { addUnpaid } from './unpaid-command.ts';
import { addUnseal } from './unseal-command.ts';
import { addVoid } from './void-command.ts';

const groups: Readonly<Record<string, readonly ((till: Command) => void)[]>> = {
  'Selling:': [addSell, addRefund, addVoid, addGift, addCredit, addReceipt, addSales],
  'Holding amounts on cards:': [addPreauth, addIncrement, addComplete, addTip, addRelease, addPreauths],
  'What is open:': [addQueue, addResolve, addSettle, addUnpaid],
  'The business day:': [addBatch],
  'The till that runs:': [addOpen, addStop, addBoot],
  'The store:': [addStaff, addLimits, addUnseal, addPosKey, addGoLive, addMachine, addPlainHttp],
  'Terminals:': [addTerminals, addPair, addUnpair, addTestHost, addDiagnose, addTrace, addPrinters],
  'What happened:': [addJournal],
};

export const addTill = (program: Command): void => {
  const till = program.command('till').description('every action of the till: npm run till -- <command>');
  for (const [heading, group] of Object.entries(groups)) {
    till.commandsGroup(heading);
    for (const add of group) add(till);
  }
};
