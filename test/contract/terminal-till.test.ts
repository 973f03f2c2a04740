/**
 * All card reader drivers keep one contract: under a real till, whose journal agrees with the host whatever happens.
 */
import { testDriversOn } from './terminal-contract.ts';

testDriversOn('till');
