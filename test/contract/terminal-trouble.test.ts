/** All card reader drivers keep one contract: errors of a device, a line or a till's call, at steps of a sale. */
import { holdDriversTo } from './terminal-holds.ts';

holdDriversTo('trouble');
