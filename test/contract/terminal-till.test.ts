/**
 * All card reader drivers keep one contract: under a real till, whose journal agrees with the host whatever happens.
 */
import { holdDriversTo } from './terminal-holds.ts';

holdDriversTo('till');
