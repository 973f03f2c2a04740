/** All card reader drivers keep one contract: under a real till, whose books agree with the host's after any trouble. */
import { holdDriversTo } from './terminal-holds.ts';

holdDriversTo('till');
