/** Before each file of tests: its properties go by the run's seed. */
import { configureGlobal } from 'fast-check';
import { SEED } from './dice.ts';

configureGlobal({ seed: SEED });
