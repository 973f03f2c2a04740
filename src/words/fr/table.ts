/** All French words of the screens. */
import type { Table } from '../said.ts';
import { cashier } from './cashier.ts';
import { facts } from './facts.ts';
import { faults } from './faults.ts';
import { manager } from './manager.ts';
import { reasons } from './reasons.ts';
import * as books from './said/books.ts';
import * as fields from './said/fields.ts';
import * as machine from './said/machine.ts';
import * as sales from './said/sales.ts';
import { shared } from './shared.ts';
import { signIn } from './sign-in.ts';
import { technician } from './technician.ts';

export const table: Table = {
  words: { shared, signIn, cashier, manager, technician },
  said: { reasons, faults, facts, told: { ...books, ...sales, ...machine, ...fields } },
};
