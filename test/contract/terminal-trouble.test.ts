/** All card reader drivers keep one contract: errors of a device, a line or a till's call, at steps of a sale. */
import { testDriversOn } from './terminal-contract.ts';

testDriversOn('trouble');
