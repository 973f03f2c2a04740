/** All card reader drivers keep one contract: a device, a line or a till's call that goes wrong, at steps of a sale. */
import { holdDriversTo } from './terminal-holds.ts';

holdDriversTo('trouble');
